import type { ContextHost } from '../contracts/executor.ts';

/**
 * A host whose listeners may fail: what they throw is theirs, and neither the tool's fault nor its process's. Questions
 * are passed on as they are, since the code waits for their answer.
 *
 * @example
 * guardHost(host).progress('half') // whatever the listener does
 */
export function guardHost(host: ContextHost): ContextHost {
  return {
    ask: (operation, args, signal, hold) => host.ask(operation, args, signal, hold),
    progress: (value) => ignoreFailure(() => host.progress(value)),
    log: (level, message) => ignoreFailure(() => host.log(level, message)),
    ...(host.live === undefined ? {} : { live: host.live }),
  };
}

function ignoreFailure(notify: () => unknown): void {
  try {
    const pending = notify();
    // Nothing keeps a listener from being asynchronous.
    if (pending instanceof Promise) pending.catch(() => {});
  } catch {
    // Nobody who could mend it listens here.
  }
}
