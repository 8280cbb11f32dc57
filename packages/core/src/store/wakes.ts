/** Those who want to hear that something in a store has changed. A burst of changes is told once, after it. */
export class Wakes {
  readonly #listeners = new Set<() => void>();
  #isDue = false;

  get size(): number {
    return this.#listeners.size;
  }

  /** The same function may listen twice. Returns how to stop. */
  add(wake: () => void): () => void {
    const listener = () => wake();
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Soon, after what is done now. */
  tell(): void {
    if (this.#isDue || this.#listeners.size === 0) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      for (const listener of this.#listeners) listener();
    });
  }

  clear(): void {
    this.#listeners.clear();
  }
}
