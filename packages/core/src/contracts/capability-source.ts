import type { Provenance, ToolDeclaration } from './capability.ts';
import type { JsonObject } from './json.ts';
import type { ModuleGraph } from './module-graph.ts';
import type { Problem } from './problem.ts';

/** What fills a table. There is no other way in. */
export interface CapabilitySource {
  /** Unique within a runtime, shown to people. */
  readonly id: string;
  readonly provenance: Provenance;
  /** Reads everything. Faults of authors are problems in the snapshot; only a broken machine makes it reject. */
  load(signal: AbortSignal): Promise<SourceSnapshot>;
}

export interface SourceSnapshot {
  readonly declarations: readonly ToolDeclaration[];
  readonly problems: readonly Problem[];
  /** The code that the declarations refer to, when they refer to source files. */
  readonly graph?: ModuleGraph;
}

/** One entry file, described by the process that loaded it. */
export interface DescribedEntry {
  readonly entry: string;
  readonly declaration?: { readonly fields: JsonObject; readonly ownValidator: boolean };
  readonly problems: readonly Problem[];
}

/** Loads code where it runs, and tells as plain data what it declares. */
export interface CodeDescriber {
  describe(graph: ModuleGraph, entries: readonly string[], signal: AbortSignal): Promise<readonly DescribedEntry[]>;
}
