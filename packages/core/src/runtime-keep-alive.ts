/** Longer than anything is waited for; it never has to do anything. */
const NEVER_MS = 2 ** 31 - 1;

/**
 * Keeps this process from ending by itself while somebody in it waits for something that only a store or a person can
 * bring: such waiting hangs on no handle of the system.
 *
 * @example
 * const release = keepAlive.hold();
 * try { await turnHasEnded; } finally { release(); }
 */
export class KeepAlive {
  #timer: NodeJS.Timeout | undefined;
  #count = 0;

  /** Until what it returns is called. */
  hold(): () => void {
    this.#count += 1;
    this.#timer ??= setInterval(() => {}, NEVER_MS);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#count -= 1;
      if (this.#count > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }
}
