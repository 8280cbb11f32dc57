import type { CapabilityKind } from './capability.ts';
import type { Json, JsonObject } from './json.ts';
import type { ModuleGraph } from './module-graph.ts';
import type { Problem } from './problem.ts';

/** What a source file is expected to declare. */
export type EntryKind = 'tool' | 'prompt-section' | 'hook' | 'plugin';

export interface EntryRequest {
  readonly entry: string;
  /** `module`: it is only loaded, whatever it declares. */
  readonly kind: EntryKind | 'module';
}

/** One entry file, described by the process that loaded it. */
export interface DescribedEntry {
  readonly entry: string;
  /** Of a plugin: `name`, `config` (its schema), `provides` and `uses` (names of services). */
  readonly declaration?: { readonly fields: JsonObject; readonly ownValidator: boolean };
  readonly problems: readonly Problem[];
}

/** What a `setup` added, as plain data. */
export interface AddedCapability {
  readonly kind: CapabilityKind;
  readonly name: string;
  readonly fields: JsonObject;
  readonly ownValidator: boolean;
  readonly texts?: Readonly<Record<string, string>>;
}

/** What a run of `setup` led to, as plain data. */
export interface SetUpPlugin {
  readonly added: readonly AddedCapability[];
  /** Services by name, with the methods that code in other processes may call. */
  readonly provided: readonly { readonly token: string; readonly remote: readonly string[] }[];
  /** The configuration as `config.get()` gave it, as far as JSON can say it. */
  readonly config: Json;
  /** Fatal = nothing of it counts. */
  readonly problems: readonly Problem[];
}

/** A service that a plugin provides. */
export interface ProvidedService {
  readonly token: string;
  /** Only for code in this process. */
  readonly value: unknown;
  /** Methods that code in other processes may call with plain data. */
  readonly remote: readonly string[];
}

export interface SetUpRequest {
  readonly graph: ModuleGraph;
  /** Path of the `plugin.ts` in the graph. */
  readonly entry: string;
  /** Its name in messages. */
  readonly plugin: string;
  /** As written in the configuration; the plugin's own validator, if any, has not seen it. */
  readonly config: JsonObject;
  /** What plugins that were set up before provide. */
  readonly service: (token: string) => ProvidedService | undefined;
}

/** One run of a plugin's `setup` with its resources. */
export interface PluginInstance {
  readonly setUp: SetUpPlugin;
  /** Objects that it added, by `kind:name`; empty where it runs in another process. */
  readonly live: ReadonlyMap<string, object>;
  /** What it provides; empty where it runs in another process. */
  readonly services: ReadonlyMap<string, ProvidedService>;
  /** The parsed configuration itself. */
  readonly config: unknown;
  /** Runs what was handed to `onDispose`, last first, once; later calls wait for the same. Never rejects. */
  dispose(): Promise<void>;
}

/** Loads the code of plugins where it runs. Nothing of it runs elsewhere. */
export interface CodeHost {
  /** Makes the code of a graph known until the returned function has been called. Counted: each use has its own. */
  retain(graph: ModuleGraph): () => void;
  /**
   * Evaluates entries of a retained graph and tells as plain data what they declare. Faults of authors are problems;
   * rejects when the signal aborts or this machine fails.
   */
  describe(
    graph: ModuleGraph,
    entries: readonly EntryRequest[],
    signal: AbortSignal,
  ): Promise<readonly DescribedEntry[]>;
  /** Runs a plugin's `setup`. Faults of authors are problems; then everything that it started is disposed already. */
  setUp(request: SetUpRequest, signal: AbortSignal): Promise<PluginInstance>;
}
