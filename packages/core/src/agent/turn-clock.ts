/** The time limit of one turn. Stands still while the turn only waits for people. */
export class TurnClock {
  readonly #limitMs: number;
  readonly #expire: () => void;
  #activeMs: number;
  #runningSince: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `activeMs`: what the turn used up before, in other processes. */
  constructor(limitMs: number, activeMs: number, expire: () => void) {
    this.#limitMs = limitMs;
    this.#activeMs = activeMs;
    this.#expire = expire;
  }

  run(): void {
    if (this.#runningSince !== undefined) return;
    this.#runningSince = performance.now();
    this.#timer = setTimeout(this.#expire, Math.max(0, this.#limitMs - this.#activeMs));
  }

  pause(): void {
    if (this.#runningSince === undefined) return;
    clearTimeout(this.#timer);
    this.#activeMs += performance.now() - this.#runningSince;
    this.#runningSince = undefined;
  }

  /** Milliseconds that the turn worked. */
  get activeMs(): number {
    const now = this.#runningSince === undefined ? 0 : performance.now() - this.#runningSince;
    return Math.round(this.#activeMs + now);
  }
}
