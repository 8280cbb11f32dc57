import { LOAD_LIMIT_MS, type StopReason } from './ended-early.ts';

/**
 * Watches one call: ends it at its time limit, which counts from `begin` (loading before that has a limit of its
 * own), or when its signal aborts, whichever comes first. `onStop` is called at most once, and not after `stop`. While it
 * is held, since a person is waited for, its limit stands still.
 */
export class CallClock {
  readonly #signal: AbortSignal;
  readonly #limitMs: number;
  readonly #onStop: (reason: StopReason) => void;
  readonly #onAbort = (): void => this.#end('cancel');
  #timer: NodeJS.Timeout | undefined;
  #running = true;
  #begun = false;
  #holds = 0;
  /** Milliseconds of the limit that are left, and since when they run. */
  #leftMs = 0;
  #since = 0;

  /** `loadLimitMs` of 0: there is nothing to load, and the time limit counts from now. */
  constructor(
    signal: AbortSignal,
    limitMs: number,
    onStop: (reason: StopReason) => void,
    loadLimitMs: number = LOAD_LIMIT_MS,
  ) {
    this.#signal = signal;
    this.#limitMs = limitMs;
    this.#onStop = onStop;
    if (loadLimitMs === 0) this.begin();
    else this.#timer = this.#startTimer(loadLimitMs);
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
    this.#leftMs = this.#limitMs;
    if (this.#holds === 0) this.#goOn();
  }

  /** Each `true` is followed by one `false`; several may overlap. */
  hold(waiting: boolean): void {
    this.#holds += waiting ? 1 : -1;
    if (!this.#running || !this.#begun) return;
    if (waiting && this.#holds === 1) {
      clearTimeout(this.#timer);
      this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - this.#since));
    }
    if (!waiting && this.#holds === 0) this.#goOn();
  }

  #goOn(): void {
    this.#since = performance.now();
    this.#timer = this.#startTimer(this.#leftMs);
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
        if (this.#timer === timer && this.#holds === 0) this.#end('timeout');
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
