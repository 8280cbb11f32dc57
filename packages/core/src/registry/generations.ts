/** What a holder of a generation has until it lets go. */
export interface Lease<Content> {
  readonly content: Content;
  /** Once; later calls do nothing. */
  release(): void;
}

interface Generation<Content> {
  readonly content: Content;
  readonly dispose: () => Promise<void>;
  leases: number;
  isCurrent: boolean;
}

/**
 * The generations of a runtime. One is current; a turn holds the one that it began with, and a generation is disposed
 * of when it is no longer current and nobody holds it.
 *
 * @example
 * const generations = new Generations(first, () => first.dispose());
 * const lease = generations.lease();
 * generations.replace(second, () => second.dispose()); // `first` lives until `lease.release()`
 */
export class Generations<Content> {
  #current: Generation<Content>;
  readonly #ending = new Set<Promise<void>>();
  #living = 1;

  constructor(content: Content, dispose: () => Promise<void>) {
    this.#current = { content, dispose, leases: 0, isCurrent: true };
  }

  get current(): Content {
    return this.#current.content;
  }

  /** Generations that are not disposed of yet. */
  get living(): number {
    return this.#living;
  }

  lease(): Lease<Content> {
    const generation = this.#current;
    generation.leases += 1;
    let isHeld = true;
    return {
      content: generation.content,
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        generation.leases -= 1;
        this.#endIfUnused(generation);
      },
    };
  }

  replace(content: Content, dispose: () => Promise<void>): void {
    const former = this.#current;
    this.#current = { content, dispose, leases: 0, isCurrent: true };
    this.#living += 1;
    former.isCurrent = false;
    this.#endIfUnused(former);
  }

  /** Disposes of something that never became current; `close` waits for it too. */
  discard(dispose: () => Promise<void>): void {
    this.#living += 1;
    this.#end(dispose);
  }

  /** Gives up the current one too; resolves when everything that nobody holds is disposed of. */
  async close(): Promise<void> {
    if (this.#current.isCurrent) {
      this.#current.isCurrent = false;
      this.#endIfUnused(this.#current);
    }
    await Promise.all(this.#ending);
  }

  #endIfUnused(generation: Generation<Content>): void {
    if (generation.isCurrent || generation.leases > 0) return;
    this.#end(generation.dispose);
  }

  #end(dispose: () => Promise<void>): void {
    // What a disposal throws is the plugin's own fault and was logged there; it must not end this process.
    const ending = dispose().catch(() => {});
    this.#ending.add(ending);
    void ending.then(() => {
      this.#ending.delete(ending);
      this.#living -= 1;
    });
  }
}
