import type { Digest } from '../contracts/digest.ts';
import type { ModuleGraph } from '../contracts/module-graph.ts';
import { Child, type ChildEnd } from './child.ts';
import { encodeGraph } from './encode-graph.ts';
import { ProcessGuard } from './process-guard.ts';

export interface ChildPoolOptions {
  /** Children that may exist at a time, over all graphs. */
  readonly maxChildren: number;
  readonly environment: Readonly<Record<string, string>>;
}

/** A child to have a conversation with, or why there is none. */
export type Acquired =
  | { readonly kind: 'child'; readonly child: Child }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'not-started'; readonly end: ChildEnd };

interface Waiter {
  readonly graph: ModuleGraph;
  /** Only a new process will do. */
  readonly fresh: boolean;
  readonly take: (child: Child) => void;
}

/**
 * Lends out children, each to one user at a time. One child per graph stays warm while nobody uses it; when all are
 * busy, users wait in order.
 */
export class ChildPool {
  readonly #options: ChildPoolOptions;
  readonly #living = new Set<Child>();
  readonly #idle: Child[] = [];
  readonly #waiting: Waiter[] = [];
  readonly #encoded = new WeakMap<ModuleGraph, Buffer>();
  /** All whose process is not gone yet, ended ones too. */
  readonly #present = new Set<Child>();
  readonly #guard = new ProcessGuard();

  constructor(options: ChildPoolOptions) {
    this.#options = options;
  }

  async acquire(graph: ModuleGraph, fresh: boolean, signal: AbortSignal): Promise<Acquired> {
    if (signal.aborted) return { kind: 'aborted' };
    const child = await this.#next(graph, fresh, signal);
    if (child === undefined) return { kind: 'aborted' };
    const isUp = child.served > 0 || (await orAborted(child.ready, signal));
    if (isUp && !signal.aborted) return { kind: 'child', child };
    this.release(child);
    if (signal.aborted) return { kind: 'aborted' };
    return { kind: 'not-started', end: await child.ended };
  }

  /** Gives a child back, dead or alive. */
  release(child: Child): void {
    if (child.alive) this.#idle.push(child);
    else this.#forget(child);
    this.#serve();
    this.#trim(child.graph);
  }

  /** Ends all children; resolves when their processes are gone. */
  async close(): Promise<void> {
    for (const child of [...this.#living]) this.#end(child);
    await Promise.all([...this.#present].map((child) => child.ended));
    this.#guard.close();
  }

  #next(graph: ModuleGraph, fresh: boolean, signal: AbortSignal): Promise<Child | undefined> {
    return new Promise((resolve) => {
      const onAbort = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        resolve(undefined);
      };
      const take = (child: Child): void => {
        signal.removeEventListener('abort', onAbort);
        resolve(child);
      };
      const waiter: Waiter = { graph, fresh, take };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(waiter);
      this.#serve();
    });
  }

  /** Strictly in order: whoever waits longest gets the next child. */
  #serve(): void {
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      const child = this.#find(first);
      if (child === undefined) return;
      this.#waiting.shift();
      first.take(child);
    }
  }

  #find({ graph, fresh }: Waiter): Child | undefined {
    const index = fresh ? -1 : this.#idle.findIndex((child) => child.graph === graph.digest);
    if (index !== -1) return this.#idle.splice(index, 1)[0];
    if (this.#living.size >= this.#options.maxChildren) {
      const [longestIdle] = this.#idle;
      if (longestIdle === undefined) return undefined;
      this.#end(longestIdle);
    }
    return this.#start(graph);
  }

  #start(graph: ModuleGraph): Child {
    let modules = this.#encoded.get(graph);
    if (modules === undefined) {
      modules = encodeGraph(graph);
      this.#encoded.set(graph, modules);
    }
    const child = new Child({ graph, modules, environment: this.#options.environment, guard: this.#guard });
    this.#living.add(child);
    this.#present.add(child);
    void child.ended.then(() => {
      this.#present.delete(child);
      this.#forget(child);
      this.#serve();
    });
    return child;
  }

  /** Of a graph's idle children the one that was started last stays: it has read the newest packages. */
  #trim(graph: Digest): void {
    const started = [...this.#living].filter((child) => child.graph === graph && this.#idle.includes(child));
    for (const older of started.slice(0, -1)) this.#end(older);
  }

  #end(child: Child): void {
    this.#forget(child);
    child.kill();
  }

  #forget(child: Child): void {
    this.#living.delete(child);
    const index = this.#idle.indexOf(child);
    if (index !== -1) this.#idle.splice(index, 1);
  }
}

/** False when the signal aborts first. */
function orAborted(ready: Promise<boolean>, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const onAbort = (): void => resolve(false);
    signal.addEventListener('abort', onAbort, { once: true });
    void ready.then((isUp) => {
      signal.removeEventListener('abort', onAbort);
      resolve(isUp);
    });
  });
}
