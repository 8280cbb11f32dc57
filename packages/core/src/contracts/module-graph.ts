import type { Digest } from './digest.ts';

/** One source file of a plugin, compiled so that it can be evaluated with `vm.compileFunction`. */
export interface SourceModule {
  /** Path below the graph's root, with `/` as separator. */
  readonly path: string;
  /** Over path, format, code, source map and what its imports lead to: everything that a process needs of it. */
  readonly digest: Digest;
  /** The same without the source map: what it does. Default: `digest`. */
  readonly codeDigest?: Digest;
  /** `esm`: imports follow Node's rules for ES modules; `cjs`: `require` is Node's own; `json`: `code` is the JSON text. */
  readonly format: 'esm' | 'cjs' | 'json';
  readonly code: string;
  /** Source map (JSON text) from `code` to the author's lines. */
  readonly sourceMap?: string;
  /** Specifier as written → path of a module of this graph. */
  readonly imports: { readonly [specifier: string]: string };
  /** Package specifiers that are imported statically and must be there before the module is evaluated. */
  readonly packages: readonly string[];
}

/** All source files that a plugin's entries reach. The code that was hashed is the code that runs. */
export interface ModuleGraph {
  /** Over the root and the digest of every module. */
  readonly digest: Digest;
  /** Absolute path of the plugin's folder: packages are resolved from there and stacks name files below it. */
  readonly root: string;
  readonly modules: readonly SourceModule[];
}

/** Names a piece of a plugin's code: executors look the graph up by digest and evaluate `entry`. */
export interface CodeReference {
  readonly graph: Digest;
  readonly entry: string;
  /** What the `setup` of that entry added under this name; absent = the entry's own declaration. */
  readonly member?: string;
}
