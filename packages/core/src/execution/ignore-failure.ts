/**
 * Calls a listener of somebody else's, whose failure is nobody's fault here.
 *
 * @example
 * ignoreFailure(() => options.log('warn', 'late'))
 */
export function ignoreFailure(notify: () => unknown): void {
  try {
    const pending = notify();
    // Nothing keeps a listener from being asynchronous.
    if (pending instanceof Promise) pending.catch(() => {});
  } catch {
    // Nobody who could mend it listens here.
  }
}
