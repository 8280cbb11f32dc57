/** A module imports a package, statically or in an `import(…)` expression. */
export interface PackageUse {
  /** Path of the module in the graph. */
  readonly importer: string;
  /** As written, e.g. `@scope/name/sub`. */
  readonly specifier: string;
}
