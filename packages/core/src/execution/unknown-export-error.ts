/** A name that a module imports from a package which does not export it. */
export interface UnknownExport {
  readonly specifier: string;
  readonly name: string;
  /** The name that was probably meant. */
  readonly nearest: string | undefined;
  /** First use in the compiled code, from 1. */
  readonly line: number;
  readonly column: number;
}

/** A module imports names that packages do not export. */
export class UnknownExportError extends Error {
  override readonly name = 'UnknownExportError';
  /** Path of the importing module below the graph's root. */
  readonly importer: string;
  readonly faults: readonly UnknownExport[];

  constructor(importer: string, faults: readonly UnknownExport[]) {
    super(faults.map(({ specifier, name }) => `${specifier} does not export ${name}`).join('; '));
    this.importer = importer;
    this.faults = faults;
  }
}
