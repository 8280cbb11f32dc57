import type { CapabilityKind, Owner } from '../contracts/capability.ts';
import type { JsonObject } from '../contracts/json.ts';
import type { Problem } from '../contracts/problem.ts';
import type { RememberedFile } from './scan-files.ts';

/** What stands in a project's folders, before any code is compiled. */
export interface ProjectScan {
  /** The root plugin first, then by path. Two may bear one name; a fatal problem then says so. */
  readonly plugins: readonly PluginFolder[];
  /** By file. */
  readonly problems: readonly Problem[];
  /** Absolute, links resolved: every folder that was looked into. A change in one of them can change the scan. */
  readonly folders: readonly string[];
  /** Files that were read, by absolute path, for the next scan. */
  readonly files: ReadonlyMap<string, RememberedFile>;
}

export interface PluginFolder {
  /** Names of plugins from below the root on; empty = the root plugin. */
  readonly path: readonly string[];
  /** The path joined by `__`; empty = the root plugin. */
  readonly name: string;
  /** Absolute, links resolved: the folder whose files one module graph holds, the project's or a package's. */
  readonly root: string;
  /** The plugin's folder below `root`; empty = `root` itself. */
  readonly folder: string;
  /** npm name of the package that it came in. */
  readonly package?: string;
  /** `plugin.{ts,mts,cts,js,mjs,cjs}`, below `root`. */
  readonly entry?: string;
  /** Text of `AGENTS.md`. */
  readonly rules?: string;
  readonly found: readonly FoundCapability[];
}

/** A capability's folder. Its name may be one that a problem refuses: its other faults are still to be found. */
export interface FoundCapability {
  readonly kind: CapabilityKind;
  readonly name: string;
  readonly owner: Owner;
  /** Below the plugin's `root`, as are the next two. */
  readonly folder: string;
  /** The file that declares it, for people: the entry, `SKILL.md`, `agent.json`. */
  readonly file: string;
  /** The code of a tool, prompt section or hook. */
  readonly entry?: string;
  /** Of a skill or an agent, as written; absent when they could not be read, which a problem then says. */
  readonly fields?: JsonObject;
  /** `body` of a skill; `system`, `boundaries` and `conventions` of an agent, those that there are. */
  readonly texts?: Readonly<Record<string, string>>;
}
