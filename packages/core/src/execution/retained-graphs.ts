import type { Digest } from '../contracts/digest.ts';
import type { ModuleGraph } from '../contracts/module-graph.ts';

/** Graphs that somebody uses, counted. `onForget` is told of each whose last use has ended. */
export class RetainedGraphs {
  readonly #held = new Map<Digest, { readonly graph: ModuleGraph; count: number }>();
  readonly #onForget: (graph: ModuleGraph) => void;

  constructor(onForget: (graph: ModuleGraph) => void) {
    this.#onForget = onForget;
  }

  /** Each use ends by its own function, which may be called more than once. */
  retain(graph: ModuleGraph): () => void {
    let held = this.#held.get(graph.digest);
    if (held === undefined) {
      held = { graph, count: 0 };
      this.#held.set(graph.digest, held);
    }
    held.count += 1;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#release(graph.digest);
    };
  }

  get(digest: Digest): ModuleGraph | undefined {
    return this.#held.get(digest)?.graph;
  }

  clear(): void {
    this.#held.clear();
  }

  #release(digest: Digest): void {
    const held = this.#held.get(digest);
    if (held === undefined) return;
    held.count -= 1;
    if (held.count > 0) return;
    this.#held.delete(digest);
    this.#onForget(held.graph);
  }
}
