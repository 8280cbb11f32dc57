import type { Store } from '../contracts/store.ts';
import type { StoredTurn } from '../contracts/stored-turn.ts';
import { HEARTBEAT_MS } from '../contracts/turn-lease.ts';

/** Milliseconds between two sweeps when nothing is heard. */
const SWEEP_MS = 1_000;

/** Bursts of changes lead to one sweep. Milliseconds. */
const GATHER_MS = 50;

/** Milliseconds between two erasures. */
const ERASE_MS = 3_600_000;

export interface TurnKeeperOptions {
  readonly store: Store;
  readonly project: string;
  /** Goes on with turns of others; else only looks after the ones of this process. */
  readonly takesUp: boolean;
  /** Turns that this process works on. */
  readonly running: ReadonlyMap<string, { cancelled(turn: StoredTurn): void }>;
  /** Goes on with one, unless it was taken by another process meanwhile; resolves when that is known. */
  readonly goOn: (turn: StoredTurn) => Promise<void>;
  /** There is room for one more to go on with. */
  readonly hasRoom: () => boolean;
  readonly deliver: () => void;
  /** Something in the store may have changed. */
  readonly onChange: () => void;
  readonly retentionMs: () => number;
  readonly now: () => number;
}

/**
 * Looks after the turns in a store: says that this process lives, hears cancels from other processes, expires asks whose
 * time is over, takes up what can go on, and erases what is needed no more.
 */
export class TurnKeeper {
  readonly #options: TurnKeeperOptions;
  #unsubscribe: (() => void) | undefined;
  #sweepTimer: NodeJS.Timeout | undefined;
  #gatherTimer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> | undefined;
  #lastBeat = 0;
  #lastErase = 0;
  #takesUp: boolean;
  #isClosed = false;

  constructor(options: TurnKeeperOptions) {
    this.#options = options;
    this.#takesUp = options.takesUp;
  }

  start(): void {
    this.#unsubscribe = this.#options.store.subscribe(() => this.look());
    this.#sweepTimer = setInterval(() => this.look(), SWEEP_MS);
    this.#sweepTimer.unref();
    this.look();
  }

  /** Soon; at most once for a burst of changes. */
  look(): void {
    if (this.#isClosed || this.#gatherTimer !== undefined) return;
    this.#gatherTimer = setTimeout(() => {
      this.#gatherTimer = undefined;
      // A store that fails now is looked at again with the next change.
      this.sweep().catch(() => {});
    }, GATHER_MS);
    this.#gatherTimer.unref();
  }

  /** Takes up nothing more. Beats go on until `close`, for what still runs. */
  stop(): void {
    this.#takesUp = false;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#takesUp = false;
    this.#unsubscribe?.();
    clearInterval(this.#sweepTimer);
    clearTimeout(this.#gatherTimer);
    await this.#sweeping?.catch(() => {});
  }

  /** One look at everything. */
  async sweep(): Promise<void> {
    while (this.#sweeping !== undefined) await this.#sweeping.catch(() => {});
    this.#sweeping = this.#sweep().finally(() => {
      this.#sweeping = undefined;
    });
    return this.#sweeping;
  }

  async #sweep(): Promise<void> {
    const { store, project, running, goOn, hasRoom, deliver, onChange, retentionMs, now } = this.#options;
    const at = now();
    if (running.size > 0 && at - this.#lastBeat >= HEARTBEAT_MS) {
      this.#lastBeat = at;
      await store.beat(at);
    }
    if (running.size > 0) {
      for (const turn of await store.openTurns({ cancelled: true })) running.get(turn.id)?.cancelled(turn);
    }
    onChange();
    for (const { id } of await store.overdueAsks(at)) await store.answerAsk(id, { kind: 'expired', at });
    if (this.#takesUp) {
      for (const turn of await store.resumable(project, at, (id) => running.has(id))) {
        if (!this.#takesUp || !hasRoom()) break;
        await goOn(turn);
      }
    }
    deliver();
    if (this.#takesUp && at - this.#lastErase >= ERASE_MS) {
      this.#lastErase = at;
      await store.erase(at - retentionMs());
    }
  }
}
