/** A package that a module of a graph imports cannot be loaded; `cause` is what its import threw. */
export class PackageLoadError extends Error {
  override readonly name = 'PackageLoadError';
  readonly specifier: string;
  /** Path of the importing module below the graph's root. */
  readonly importer: string;

  constructor(specifier: string, importer: string, cause: unknown) {
    super(`cannot load ${specifier}`, { cause });
    this.specifier = specifier;
    this.importer = importer;
  }
}
