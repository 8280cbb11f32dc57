import type { Digest } from '../contracts/digest.ts';
import type { ModuleGraph, SourceModule } from '../contracts/module-graph.ts';
import { Child, type ChildEnd } from './child.ts';
import { disposeInChild } from './dispose-in-child.ts';
import { encodeModule } from './encode-module.ts';
import { ProcessGuard } from './process-guard.ts';

export interface ChildPoolOptions {
  /** Users that no other user waits for and that may have a child at a time, over all folders. */
  readonly maxChildren: number;
  readonly environment: Readonly<Record<string, string>>;
}

/** A child to have a conversation with, or why there is none. */
export type Acquired =
  | { readonly kind: 'child'; readonly child: Child }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'not-started'; readonly end: ChildEnd };

export interface ChildWish {
  readonly graph: ModuleGraph;
  /** Only a new process will do. */
  readonly fresh: boolean;
  /** Whoever asks is waited for by the user of another child: it does not wait where that can be avoided. */
  readonly nested: boolean;
}

interface Waiter extends ChildWish {
  readonly take: (child: Child) => void;
}

/**
 * A call and those below it, at most five deep, run one at a time and wait for one another: so many children are enough
 * for each call that nobody waits for, and two more describe and set up what a reload brings.
 */
const CHILDREN_PER_CALL = 6;
const FOR_RELOADS = 2;

/**
 * Lends out children, each to one user at a time. One child per folder stays warm while nobody uses it; when all are
 * busy, users wait in order. A child that may hold plugins is told to dispose of them before it is ended.
 */
export class ChildPool {
  #options: ChildPoolOptions;
  /** To be ended as soon as nobody uses it: started with an environment that does not hold any more, or spoilt. */
  readonly #outdated = new WeakSet<Child>();
  readonly #living = new Set<Child>();
  readonly #idle: Child[] = [];
  readonly #waiting: Waiter[] = [];
  /** Lent to users that no other user waits for: at most as many as `maxChildren`, whatever the others need. */
  readonly #outer = new Set<Child>();
  /** Who wants a certain child, as soon as it is free. */
  readonly #claims = new Map<Child, (() => void)[]>();
  readonly #encoded = new WeakMap<SourceModule, Uint8Array>();
  /** All whose process is not gone yet, ended ones too. */
  readonly #present = new Set<Child>();
  readonly #guard = new ProcessGuard();
  #isClosing = false;

  constructor(options: ChildPoolOptions) {
    this.#options = options;
  }

  /** From now on children are started so; those that are busy end with what they do. */
  configure(options: ChildPoolOptions): void {
    const isSame = JSON.stringify(options.environment) === JSON.stringify(this.#options.environment);
    this.#options = options;
    if (!isSame) {
      for (const child of this.#living) this.#outdated.add(child);
      for (const child of [...this.#idle]) this.#end(child);
    }
    this.#serve();
  }

  /** The child that comes has the graph. */
  async acquire(wish: ChildWish, signal: AbortSignal): Promise<Acquired> {
    if (signal.aborted) return { kind: 'aborted' };
    const child = await this.#next(wish, signal);
    if (child === undefined) return { kind: 'aborted' };
    child.bring(wish.graph);
    const isUp = child.served > 0 || (await orAborted(child.ready, signal));
    if (isUp && !signal.aborted) return { kind: 'child', child };
    this.release(child);
    if (signal.aborted) return { kind: 'aborted' };
    return { kind: 'not-started', end: await child.ended };
  }

  /** A child that is idle now and has run code of the folder before, given the graph; undefined = there is none. */
  takeWarm(graph: ModuleGraph): Child | undefined {
    const index = this.#idle.findIndex((child) => child.root === graph.root && child.served > 0);
    const child = index === -1 ? undefined : this.#idle.splice(index, 1)[0];
    child?.bring(graph);
    return child;
  }

  /** Gives a child back, dead or alive. */
  release(child: Child): void {
    this.#outer.delete(child);
    if (!child.alive) this.#forget(child);
    else if (this.#claims.has(child)) {
      this.#handToClaimant(child);
      return;
    } else if (this.#isClosing || this.#outdated.has(child)) this.#end(child);
    else this.#idle.push(child);
    this.#serve();
    this.#trim(child.root);
  }

  /** Gives a child back that must not be lent again. */
  retire(child: Child): void {
    this.#outdated.add(child);
    this.release(child);
  }

  /** Lets all children forget a graph. */
  forgetGraph(graph: Digest): void {
    for (const child of this.#living) child.forget(graph);
  }

  /** Has a word with each child that has the graph, as soon as it is free; resolves after the last. */
  async withHolders(graph: Digest, speak: (child: Child) => Promise<void>): Promise<void> {
    const holders = [...this.#living].filter((child) => child.holdsPlugins && child.has(graph));
    await Promise.all(
      holders.map(async (child) => {
        if (!(await this.#claim(child))) return;
        try {
          await speak(child);
        } finally {
          this.release(child);
        }
      }),
    );
  }

  /** Ends all children; resolves when their processes are gone. Users must be on their way out. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const child of [...this.#living]) {
      // Plugins of a busy one get their chance when it is released.
      if (this.#idle.includes(child) || !child.holdsPlugins) this.#end(child);
    }
    while (this.#present.size > 0) await Promise.all([...this.#present].map((child) => child.ended));
    await this.#guard.close();
  }

  #next(wish: ChildWish, signal: AbortSignal): Promise<Child | undefined> {
    return new Promise((resolve) => {
      const onAbort = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        resolve(undefined);
      };
      const take = (child: Child): void => {
        signal.removeEventListener('abort', onAbort);
        resolve(child);
      };
      const waiter: Waiter = { ...wish, take };
      signal.addEventListener('abort', onAbort, { once: true });
      // Whoever is waited for goes before those who merely wait.
      if (wish.nested) this.#waiting.unshift(waiter);
      else this.#waiting.push(waiter);
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

  #find(waiter: Waiter): Child | undefined {
    if (!waiter.nested && this.#outer.size >= this.#options.maxChildren) return undefined;
    const child = this.#findOrStart(waiter);
    if (child !== undefined && !waiter.nested) this.#outer.add(child);
    return child;
  }

  #findOrStart({ graph, fresh }: Waiter): Child | undefined {
    const index = fresh ? -1 : this.#idle.findIndex((child) => child.root === graph.root);
    if (index !== -1) return this.#idle.splice(index, 1)[0];
    const { maxChildren } = this.#options;
    if (this.#living.size >= maxChildren) {
      const [longestIdle] = this.#idle;
      if (longestIdle !== undefined) this.#end(longestIdle);
      else if (this.#living.size >= maxChildren * CHILDREN_PER_CALL + FOR_RELOADS) return undefined;
    }
    return this.#start(graph.root);
  }

  #start(root: string): Child {
    const { environment } = this.#options;
    const child = new Child({ root, encode: (module) => this.#encode(module), environment, guard: this.#guard });
    this.#living.add(child);
    this.#present.add(child);
    void child.ended.then(() => {
      this.#present.delete(child);
      this.#forget(child);
      this.#serve();
    });
    return child;
  }

  #encode(module: SourceModule): Uint8Array {
    let encoded = this.#encoded.get(module);
    if (encoded === undefined) {
      encoded = encodeModule(module);
      this.#encoded.set(module, encoded);
    }
    return encoded;
  }

  /** False = it ended before. */
  #claim(child: Child): Promise<boolean> {
    const index = this.#idle.indexOf(child);
    if (index !== -1) {
      this.#idle.splice(index, 1);
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const claims = this.#claims.get(child);
      if (claims === undefined) this.#claims.set(child, [() => resolve(true)]);
      else claims.push(() => resolve(true));
      void child.ended.then(() => resolve(false));
    });
  }

  #handToClaimant(child: Child): void {
    const claims = this.#claims.get(child);
    const next = claims?.shift();
    if (claims?.length === 0) this.#claims.delete(child);
    next?.();
  }

  /**
   * Of a folder's idle children the one that was started last stays: it has read the newest packages. While calls are
   * under way each may have one more, for those that it makes next. What there is beyond that goes.
   */
  #trim(root: string): void {
    const kept = Math.max(1, this.#outer.size);
    const started = [...this.#living].filter((child) => child.root === root && this.#idle.includes(child));
    for (const older of started.slice(0, -kept)) this.#end(older);
    while (this.#living.size > this.#options.maxChildren && this.#idle.length > this.#outer.size) {
      const [longestIdle] = this.#idle;
      if (longestIdle === undefined) return;
      this.#end(longestIdle);
    }
  }

  #end(child: Child): void {
    this.#forget(child);
    if (child.alive && child.holdsPlugins) void disposeInChild(child).then(() => child.kill());
    else child.kill();
  }

  #forget(child: Child): void {
    this.#living.delete(child);
    this.#outer.delete(child);
    this.#claims.delete(child);
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
