import type { Problem } from '../contracts/problem.ts';

/** One compiled file, its imports not yet looked up. It depends on the file's path and text and on nothing else. */
export interface CompiledFile {
  readonly path: string;
  readonly format: 'esm' | 'cjs' | 'json';
  readonly code: string;
  readonly sourceMap?: string;
  /** Every specifier that the code imports, as written, each once. */
  readonly specifiers: readonly string[];
  /** Those that only occur in `import(…)` expressions. */
  readonly dynamicOnly: ReadonlySet<string>;
}

/** What became of one source: without a file it does not compile, and a problem says why. */
export interface Compilation {
  readonly file?: CompiledFile;
  /** By line. */
  readonly problems: readonly Problem[];
}
