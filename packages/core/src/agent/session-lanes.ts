/** Runs the turns of one session one after the other; different sessions run side by side. */
export interface SessionLanes {
  /** Waits for its place in the session's lane, then runs. An abort while waiting rejects with the signal's reason. */
  run<Result>(sessionKey: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
  /** Resolves when no turn runs or waits any more. */
  idle(): Promise<void>;
}

/**
 * @example
 * const lanes = createSessionLanes();
 * await lanes.run('chat-1', signal, () => answer());
 */
export function createSessionLanes(): SessionLanes {
  /** The last turn in each lane; a lane without turns has no entry. */
  const tails = new Map<string, Promise<void>>();
  return {
    async run(sessionKey, signal, work) {
      const before = tails.get(sessionKey);
      const { promise: done, resolve: finish } = Promise.withResolvers<void>();
      const tail = before === undefined ? done : before.then(() => done);
      tails.set(sessionKey, tail);
      try {
        if (before !== undefined) await untilAborted(before, signal);
        signal.throwIfAborted();
        return await work();
      } finally {
        finish();
        if (tails.get(sessionKey) === tail) tails.delete(sessionKey);
      }
    },
    async idle() {
      while (tails.size > 0) await Promise.all(tails.values());
    },
  };
}

function untilAborted(before: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  before.then(resolve);
  return promise.finally(() => signal.removeEventListener('abort', onAbort));
}
