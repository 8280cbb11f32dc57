/** How long a call waited for people, over whatever of it waited at the same time. */
export class HeldTime {
  /** Of milliseconds, up to the last moment at which nothing waited. */
  #ended = 0;
  #holds = 0;
  #since = 0;

  get totalMs(): number {
    return this.#ended + (this.#holds > 0 ? performance.now() - this.#since : 0);
  }

  /** True: one more thing waits. False: one of them does no longer. */
  hold(waiting: boolean): void {
    if (waiting && this.#holds === 0) this.#since = performance.now();
    this.#holds += waiting ? 1 : -1;
    if (this.#holds === 0) this.#ended += performance.now() - this.#since;
  }
}
