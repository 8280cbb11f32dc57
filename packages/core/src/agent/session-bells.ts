/** Wakes turns that wait for their place in a session. */
export interface SessionBells {
  /** Resolves with the next ring; rejects with the signal's reason. */
  wait(sessionKey: string, signal: AbortSignal): Promise<void>;
  ring(sessionKey: string): void;
  ringAll(): void;
}

/**
 * @example
 * while ((await tryToBegin()) === 'busy') await bells.wait('chat-1', signal);
 */
export function createSessionBells(): SessionBells {
  const waiting = new Map<string, Set<() => void>>();
  const ring = (sessionKey: string): void => {
    const wakes = waiting.get(sessionKey);
    waiting.delete(sessionKey);
    for (const wake of wakes ?? []) wake();
  };
  return {
    wait(sessionKey, signal) {
      if (signal.aborted) return Promise.reject(signal.reason);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const wakes = waiting.get(sessionKey) ?? new Set();
      wakes.add(resolve);
      waiting.set(sessionKey, wakes);
      const onAbort = () => {
        wakes.delete(resolve);
        reject(signal.reason);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      return promise.finally(() => signal.removeEventListener('abort', onAbort));
    },
    ring,
    ringAll() {
      for (const sessionKey of [...waiting.keys()]) ring(sessionKey);
    },
  };
}
