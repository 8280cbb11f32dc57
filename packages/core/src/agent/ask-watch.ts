import type { StoredAsk } from '../contracts/ask.ts';
import type { Store } from '../contracts/store.ts';

/** Tells those who wait for an ask that it has changed, whichever process changed it. */
export interface AskWatch {
  /**
   * Calls `listen` with the ask whenever it may have changed, soon after it did. Asks whose time is over are expired.
   * Returns how to stop.
   */
  follow(askId: string, listen: (ask: StoredAsk) => void): () => void;
  /** Looks at once: something changed asks. */
  look(): void;
  close(): void;
}

/** Timers count in 32 bits. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * One for all turns of a runtime. It costs nothing while nobody waits. Whoever hears of changes in the store says so by
 * `look`.
 *
 * @example
 * const stop = watch.follow(ask.id, (now) => { if (now.state !== 'open') goOn(now); });
 */
export function createAskWatch(store: Store, now: () => number): AskWatch {
  const followed = new Map<string, Set<(ask: StoredAsk) => void>>();
  let timer: NodeJS.Timeout | undefined;
  let timerAt = Number.POSITIVE_INFINITY;
  let isLooking = false;
  let again = false;

  const lookAtAll = async (): Promise<void> => {
    if (isLooking) {
      again = true;
      return;
    }
    isLooking = true;
    try {
      do {
        again = false;
        stopTimer();
        for (const id of [...followed.keys()]) await lookAt(id);
      } while (again);
    } finally {
      isLooking = false;
    }
  };

  const lookAt = async (id: string): Promise<void> => {
    let ask = await store.ask(id);
    if (ask === undefined) return;
    if (ask.state === 'open' && ask.answerBy <= now()) {
      ask = (await store.answerAsk(id, { kind: 'expired', at: now() }))?.ask ?? ask;
    }
    for (const listen of followed.get(id) ?? []) listen(ask);
    if (ask.state === 'open' && followed.has(id)) wakeAt(ask.answerBy);
  };

  const wakeAt = (at: number): void => {
    if (at >= timerAt || !Number.isFinite(at)) return;
    stopTimer();
    timerAt = at;
    timer = setTimeout(look, Math.min(LONGEST_TIMER_MS, Math.max(1, at - now()))).unref();
  };

  const stopTimer = (): void => {
    clearTimeout(timer);
    timerAt = Number.POSITIVE_INFINITY;
  };

  /** A store that fails now is asked again with the next change; the turn that waits loses nothing. */
  const look = (): void => {
    lookAtAll().catch(() => {});
  };

  return {
    follow(askId, listen) {
      const listeners = followed.get(askId) ?? new Set();
      listeners.add(listen);
      followed.set(askId, listeners);
      lookAt(askId).catch(() => {});
      return () => {
        listeners.delete(listen);
        if (listeners.size === 0 && followed.get(askId) === listeners) followed.delete(askId);
        if (followed.size === 0) stopTimer();
      };
    },
    look,
    close() {
      stopTimer();
      followed.clear();
    },
  };
}
