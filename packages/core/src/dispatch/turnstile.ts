/**
 * Lets a bounded number in at a time, the others wait in the order in which they came.
 *
 * @example
 * const turnstile = new Turnstile(1, 10);
 * const leave = await turnstile.enter(signal);
 * leave?.();
 */
export class Turnstile {
  readonly #atATime: number;
  readonly #mostWaiting: number;
  readonly #waiting = new Set<() => void>();
  #inside = 0;

  constructor(atATime: number, mostWaiting: number) {
    this.#atATime = atATime;
    this.#mostWaiting = mostWaiting;
  }

  /**
   * Resolves with the function to call on leaving, or with `undefined` at once when too many wait already.
   * Rejects with the signal's reason when it aborts before there is room.
   */
  async enter(signal: AbortSignal): Promise<(() => void) | undefined> {
    signal.throwIfAborted();
    if (this.#inside < this.#atATime) {
      this.#inside += 1;
    } else {
      if (this.#waiting.size >= this.#mostWaiting) return undefined;
      await this.#wait(signal);
    }
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#leave();
    };
  }

  #wait(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onAbort = () => {
      this.#waiting.delete(admit);
      reject(signal.reason);
    };
    const admit = () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    this.#waiting.add(admit);
    return promise;
  }

  /** The place goes to the first who waits, if any. */
  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#inside -= 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
