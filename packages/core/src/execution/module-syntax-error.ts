/** A module of a graph that does not parse. */
export class ModuleSyntaxError extends Error {
  override readonly name = 'ModuleSyntaxError';
  /** Of the module, below the graph's root. */
  readonly path: string;
  /** Line of the compiled code, from 1. */
  readonly line: number | undefined;

  constructor(path: string, line: number | undefined, cause: Error) {
    super(cause.message, { cause });
    this.path = path;
    this.line = line;
  }
}
