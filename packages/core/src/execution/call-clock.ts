import { LOAD_LIMIT_MS, type StopReason } from './ended-early.ts';

/**
 * Watches one call: ends it at its time limit, which counts from `begin` (loading before that has a limit of its
 * own), or when its signal aborts, whichever comes first. `onStop` is called at most once, and not after `stop`.
 */
export class CallClock {
  readonly #signal: AbortSignal;
  readonly #limitMs: number;
  readonly #onStop: (reason: StopReason) => void;
  readonly #onAbort = (): void => this.#end('cancel');
  #timer: NodeJS.Timeout;
  #running = true;
  #begun = false;

  constructor(
    signal: AbortSignal,
    limitMs: number,
    onStop: (reason: StopReason) => void,
    loadLimitMs: number = LOAD_LIMIT_MS,
  ) {
    this.#signal = signal;
    this.#limitMs = limitMs;
    this.#onStop = onStop;
    this.#timer = this.#startTimer(loadLimitMs);
    signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Has the tool's code begun? */
  get begun(): boolean {
    return this.#begun;
  }

  begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    if (!this.#running) return;
    clearTimeout(this.#timer);
    this.#timer = this.#startTimer(this.#limitMs);
  }

  stop(): void {
    this.#running = false;
    clearTimeout(this.#timer);
    this.#signal.removeEventListener('abort', this.#onAbort);
  }

  #startTimer(limitMs: number): NodeJS.Timeout {
    const timer = setTimeout(() => {
      // What arrived in time but waits unread, since this process was busy, still counts.
      setImmediate(() => {
        if (this.#timer === timer) this.#end('timeout');
      });
    }, limitMs);
    return timer;
  }

  #end(reason: StopReason): void {
    if (!this.#running) return;
    this.stop();
    this.#onStop(reason);
  }
}
