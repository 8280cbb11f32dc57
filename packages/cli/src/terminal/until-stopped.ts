/**
 * The chunks of an input until it ends or the signal aborts: a program that waits for somebody to type, or for a pipe
 * that nobody closes, must still be able to end.
 */
export async function* untilStopped(
  input: NodeJS.ReadableStream & { destroy(): unknown },
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const { promise: stopped, resolve } = Promise.withResolvers<'stopped'>();
  const onAbort = () => resolve('stopped');
  signal.addEventListener('abort', onAbort, { once: true });
  const chunks = input[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  try {
    while (!signal.aborted) {
      const next = await Promise.race([chunks.next(), stopped]);
      if (next === 'stopped' || next.done === true) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    // Reading goes on in the background otherwise, and keeps the process alive.
    if (signal.aborted) input.destroy();
  }
}
