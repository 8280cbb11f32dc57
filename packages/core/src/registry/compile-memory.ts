import type { SourceModule } from '../contracts/module-graph.ts';
import type { Compilation } from './compiled-file.ts';
import type { FileStamp } from './file-stamp.ts';
import type { ExportCheck } from './find-missing-exports.ts';
import type { SourceFile } from './serve-sources.ts';

/** A source file as one compilation saw it. */
export interface RememberedFile {
  readonly stamp: FileStamp;
  /** Is a later save sure to change the stamp? Else the text must be compared. */
  readonly settled: boolean;
  readonly source: SourceFile;
  readonly compilation: Compilation;
  /** Absent when it does not compile. */
  readonly module?: SourceModule;
}

/**
 * What the next compilation may take over, and nothing of those before. Where imports lead is not remembered: it depends
 * on files that are not there, so it is looked up every time.
 */
export interface CompileMemory {
  /** By path below the root. */
  readonly files: ReadonlyMap<string, RememberedFile>;
  /** By path of the importing module. */
  readonly exportChecks: ReadonlyMap<string, ExportCheck>;
}
