/**
 * Waits for work that cannot be stopped, at most until the signal aborts; then rejects with the signal's reason.
 * What the work comes to afterwards is nobody's any more, its failure too.
 *
 * @example
 * const addresses = await orAborted(lookup(host, { all: true }), signal);
 */
export async function orAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([promise, work]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
