import type { StoredAsk } from '../contracts/ask.ts';
import type { Store } from '../contracts/store.ts';

/** Tells those who wait for an ask that it has changed, whichever process changed it. */
export interface AskWatch {
  /**
   * Calls `listen` with the ask whenever it may have changed, soon after it did. Asks whose time is over are expired.
   * Returns how to stop.
   */
  follow(askId: string, listen: (ask: StoredAsk) => void): () => void;
  /** Looks at once: something in this process changed asks. */
  look(): void;
  close(): void;
}

/** Timers count in 32 bits. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * One for all turns of a runtime. It costs nothing while nobody waits.
 *
 * @example
 * const stop = watch.follow(ask.id, (now) => { if (now.state !== 'open') goOn(now); });
 */
export function createAskWatch(store: Store, now: () => number): AskWatch {
  const followed = new Map<string, Set<(ask: StoredAsk) => void>>();
  let unsubscribe: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;
  let again = false;

  const look = async (): Promise<void> => {
    if (isLooking) {
      again = true;
      return;
    }
    isLooking = true;
    try {
      do {
        again = false;
        await lookOnce();
      } while (again);
    } finally {
      isLooking = false;
    }
  };

  const lookOnce = async (): Promise<void> => {
    let next = Number.POSITIVE_INFINITY;
    for (const id of [...followed.keys()]) {
      let ask = await store.ask(id);
      if (ask === undefined) continue;
      if (ask.state === 'open' && ask.answerBy <= now()) {
        ask = (await store.answerAsk(id, { kind: 'expired', at: now() }))?.ask ?? ask;
      }
      if (ask.state === 'open') next = Math.min(next, ask.answerBy);
      for (const listen of followed.get(id) ?? []) listen(ask);
    }
    clearTimeout(timer);
    if (followed.size > 0 && Number.isFinite(next)) {
      timer = setTimeout(wake, Math.min(LONGEST_TIMER_MS, Math.max(1, next - now())));
      timer.unref();
    }
  };

  /** A store that fails now is asked again with the next change; the turn that waits loses nothing. */
  const wake = (): void => {
    look().catch(() => {});
  };

  return {
    follow(askId, listen) {
      const listeners = followed.get(askId) ?? new Set();
      listeners.add(listen);
      followed.set(askId, listeners);
      unsubscribe ??= store.subscribe(wake);
      wake();
      return () => {
        listeners.delete(listen);
        if (listeners.size === 0 && followed.get(askId) === listeners) followed.delete(askId);
        if (followed.size > 0) return;
        unsubscribe?.();
        unsubscribe = undefined;
        clearTimeout(timer);
      };
    },
    look: wake,
    close() {
      unsubscribe?.();
      unsubscribe = undefined;
      clearTimeout(timer);
      followed.clear();
    },
  };
}
