import { canonicalJson } from '../contracts/canonical-json.ts';
import type { PluginInstance, ProvidedService } from '../contracts/code-host.ts';
import type { Digest } from '../contracts/digest.ts';
import type { LogLevel } from '../contracts/executor.ts';
import type { JsonObject } from '../contracts/json.ts';
import type { SourceModule } from '../contracts/module-graph.ts';
import { createGraphCode, type GraphCode } from './graph-code.ts';
import { setUpPlugin } from './set-up-plugin.ts';

interface HeldModule {
  readonly module: SourceModule;
  /** Graphs that it is in. */
  held: number;
}

interface HeldGraph {
  readonly modules: readonly Digest[];
  readonly code: GraphCode;
}

interface HeldPlugin {
  readonly entry: string;
  readonly config: string;
  /** Graphs in which its file, and all that it reaches, is the same instance. */
  readonly graphs: Set<Digest>;
  readonly settingUp: Promise<PluginInstance>;
  /** What its file exports; undefined = it is not set up yet. */
  exports: object | undefined;
  instance: PluginInstance | undefined;
}

export interface PluginPlace {
  readonly graph: Digest;
  readonly entry: string;
  readonly config: JsonObject;
}

/** The code that a child has: modules by digest, the graphs made of them, and the plugins that are set up. */
export class ChildGraphs {
  readonly #root: string;
  readonly #log: (level: LogLevel, message: string) => void;
  readonly #modules = new Map<Digest, HeldModule>();
  readonly #graphs = new Map<Digest, HeldGraph>();
  readonly #plugins = new Set<HeldPlugin>();

  constructor(root: string, log: (level: LogLevel, message: string) => void) {
    this.#root = root;
    this.#log = log;
  }

  addModule(module: SourceModule): void {
    if (!this.#modules.has(module.digest)) this.#modules.set(module.digest, { module, held: 0 });
  }

  /** Instances of what did not change since the graph before, plugins too, are those of that graph. */
  addGraph(graph: Digest, digests: readonly Digest[]): void {
    const modules: SourceModule[] = [];
    for (const digest of digests) {
      const one = this.#modules.get(digest);
      if (one === undefined) continue;
      one.held += 1;
      modules.push(one.module);
    }
    const previous = [...this.#graphs.values()].at(-1)?.code;
    const code = createGraphCode({ root: this.#root, modules }, previous);
    this.#graphs.set(graph, { modules: digests, code });
    for (const plugin of this.#plugins) {
      if (plugin.exports !== undefined && code.evaluator.peek(plugin.entry) === plugin.exports)
        plugin.graphs.add(graph);
    }
  }

  /** Plugins that no other graph holds are disposed of. */
  forget(graph: Digest): void {
    for (const digest of this.#graphs.get(graph)?.modules ?? []) {
      const one = this.#modules.get(digest);
      if (one === undefined) continue;
      one.held -= 1;
      if (one.held <= 0) this.#modules.delete(digest);
    }
    this.#graphs.delete(graph);
    for (const plugin of this.#plugins) {
      plugin.graphs.delete(graph);
      if (plugin.graphs.size === 0) void this.#dispose(plugin);
    }
  }

  /** A graph that was never brought has no modules. */
  code(graph: Digest): GraphCode {
    return this.#graphs.get(graph)?.code ?? createGraphCode({ root: this.#root, modules: [] });
  }

  /**
   * A plugin, set up now if it is not yet; one whose setup failed is set up anew when it is asked for again. Rejects
   * when the signal that began it aborts.
   */
  setUp(place: PluginPlace, name: string, signal: AbortSignal): Promise<PluginInstance> {
    const known = this.#find(place);
    if (known !== undefined) return known.settingUp;
    const { graph, entry } = place;
    const code = this.code(graph);
    const graphs = new Set([graph]);
    const service = (token: string) => this.#serviceOf(graphs, token);
    const settingUp = setUpPlugin({ code, entry, plugin: name, config: place.config, service, log: this.#log }, signal);
    const plugin: HeldPlugin = {
      entry,
      config: canonicalJson(place.config),
      graphs,
      settingUp,
      exports: undefined,
      instance: undefined,
    };
    this.#plugins.add(plugin);
    settingUp.then(
      (instance) => {
        if (instance.setUp.problems.some(({ fatal }) => fatal)) this.#plugins.delete(plugin);
        else {
          plugin.exports = code.evaluator.peek(entry);
          plugin.instance = instance;
        }
      },
      () => this.#plugins.delete(plugin),
    );
    return settingUp;
  }

  /** What a plugin of this process, set up for the graph, provides. */
  service(graph: Digest, token: string): ProvidedService | undefined {
    return this.#serviceOf(new Set([graph]), token);
  }

  /** Disposes of one plugin, or of all, those that were set up last first. */
  async dispose(place?: PluginPlace): Promise<void> {
    const one = place === undefined ? undefined : this.#find(place);
    if (place !== undefined) {
      if (one !== undefined) await this.#dispose(one);
      return;
    }
    for (const plugin of [...this.#plugins].reverse()) await this.#dispose(plugin);
  }

  #serviceOf(wanted: ReadonlySet<Digest>, token: string): ProvidedService | undefined {
    for (const { graphs, instance } of this.#plugins) {
      const provided = graphs.isDisjointFrom(wanted) ? undefined : instance?.services.get(token);
      if (provided !== undefined) return provided;
    }
    return undefined;
  }

  #find({ graph, entry, config }: PluginPlace): HeldPlugin | undefined {
    const written = canonicalJson(config);
    for (const plugin of this.#plugins) {
      if (plugin.entry === entry && plugin.config === written && plugin.graphs.has(graph)) return plugin;
    }
    return undefined;
  }

  async #dispose(plugin: HeldPlugin): Promise<void> {
    this.#plugins.delete(plugin);
    try {
      await (await plugin.settingUp).dispose();
    } catch {
      // Its setup was aborted, which disposed of it.
    }
  }
}
