import type { PluginInstance } from '../contracts/code-host.ts';

/** One holder's share of an instance. */
export interface InstanceShare {
  readonly instance: PluginInstance;
  /** Gives the share back, once; resolves when the instance is disposed, if this was the last share. */
  release(): Promise<void>;
}

interface Counted {
  readonly instance: Promise<PluginInstance>;
  shares: number;
}

/**
 * Plugin instances by key, each made once and shared: a generation whose plugin did not change takes over the instance
 * of the one before. An instance is disposed when its last share is given back.
 */
export class PluginInstances {
  readonly #counted = new Map<string, Counted>();

  /** How many instances live; for tests of leaks. */
  get size(): number {
    return this.#counted.size;
  }

  /** Equal keys get the same instance. One whose setup failed is not kept: the next one tries anew. */
  async share(key: string, create: () => Promise<PluginInstance>): Promise<InstanceShare> {
    let counted = this.#counted.get(key);
    if (counted === undefined) {
      counted = { instance: create(), shares: 0 };
      this.#counted.set(key, counted);
    }
    const own = counted;
    own.shares += 1;
    let released: Promise<void> | undefined;
    const release = (): Promise<void> => {
      released ??= this.#release(key, own);
      return released;
    };
    try {
      const instance = await own.instance;
      if (instance.setUp.problems.some((problem) => problem.fatal) && this.#counted.get(key) === own) {
        this.#counted.delete(key);
      }
      return { instance, release };
    } catch (error) {
      own.shares -= 1;
      if (this.#counted.get(key) === own) this.#counted.delete(key);
      throw error;
    }
  }

  async #release(key: string, counted: Counted): Promise<void> {
    counted.shares -= 1;
    if (counted.shares > 0) return;
    if (this.#counted.get(key) === counted) this.#counted.delete(key);
    await (await counted.instance).dispose();
  }
}
