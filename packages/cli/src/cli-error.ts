/** Ends the command with a message for people and an exit code. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly code: number;

  constructor(message: string, code: number) {
    super(message);
    this.code = code;
  }
}
