import type { CapabilityDeclaration, Provenance } from './capability.ts';
import type { ProvidedService } from './code-host.ts';
import type { Digest } from './digest.ts';
import type { Json } from './json.ts';
import type { Problem } from './problem.ts';

/** What fills a table. There is no other way in. */
export interface CapabilitySource {
  /** Unique within a runtime, shown to people. */
  readonly id: string;
  readonly provenance: Provenance;
  /**
   * Reads everything. Faults of authors are problems in the snapshot; only a broken machine makes it reject. What has
   * not changed since `previous`, a snapshot of this source that is not disposed of yet, may be taken over from it.
   */
  load(request: LoadRequest): Promise<SourceSnapshot>;
  /** Tells the listener of changes until the returned function is called. Resolves when it looks. */
  watch?(listener: SourceListener): Promise<() => Promise<void>>;
}

export interface SourceListener {
  /** `load` may now answer differently. */
  changed(path: string): void;
  /** Something changed that only a new process takes up: a lockfile, a package that was loaded already. */
  restartNeeded(path: string): void;
  /** Some changes may go unseen from now on: the system allows no more watchers, or a folder cannot be read. */
  failed(reason: string): void;
}

export interface LoadRequest {
  readonly signal: AbortSignal;
  readonly previous?: SourceSnapshot;
  /** Configuration of a plugin by its name, as written; undefined = none is given. */
  readonly plugins?: PluginSettings;
}

/** What the configuration says of plugins. */
export interface PluginSettings {
  /** Configuration of the root plugin. */
  readonly root: Json;
  /** By plugin name (path joined by `__`) or name of a package: its configuration, or false where it is off. */
  readonly byName: ReadonlyMap<string, Json>;
  /** Names that need not exist here: configured for all projects of a user, or switched off. */
  readonly optional?: ReadonlySet<string>;
  /** Packages whose code may run in this process. */
  readonly trusted: readonly string[];
  /** Where a name stands in the configuration, for messages. */
  readonly file?: string;
}

export interface SourceSnapshot {
  readonly declarations: readonly CapabilityDeclaration[];
  readonly problems: readonly Problem[];
  /** Capabilities that are there and whose faults kept them from being declared: names that lead to them are right. */
  readonly faulty?: readonly Pick<CapabilityDeclaration, 'kind' | 'name' | 'owner' | 'via' | 'file'>[];
  /** Services that its plugins provide to code in this process and, where they say so, in others. */
  readonly services?: ReadonlyMap<string, ProvidedService>;
  /** By plugin: names of services that only its own code gets, since it runs in another process. */
  readonly localServices?: ReadonlyMap<string, ReadonlySet<string>>;
  /** By plugin (path joined by `__`): the configuration that its tools get. */
  readonly configs?: ReadonlyMap<string, PluginConfig>;
  /** Over everything of which the snapshot was made, beyond its declarations. */
  readonly digest?: Digest;
  /** Lets go of what it holds: code, plugin instances. Those that a later snapshot took over live on. */
  dispose?(): Promise<void>;
}

export interface PluginConfig {
  /** For code in other processes. */
  readonly plain: Json;
  /** For code in this process: what the plugin's own schema made of it. */
  readonly live: unknown;
}
