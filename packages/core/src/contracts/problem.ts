import type { MessageKey } from './message-key.ts';

/**
 * One fault (or warning) in what an author wrote, found while a project is loaded.
 * All problems of a project are reported together.
 */
export interface Problem {
  /** Machine readable kind, e.g. `MISSING_FIELD`, `DUPLICATE_NAME`, `SYNTAX_ERROR`. */
  readonly code: string;
  /** File, relative to the project where possible, with `:line:column` when known. */
  readonly file?: string;
  /** Field within the file, e.g. `description` or `inputSchema/properties/city`. */
  readonly field?: string;
  readonly found?: string;
  readonly expected?: string;
  readonly message: MessageKey;
  /** The remedy. */
  readonly hint?: MessageKey;
  /** A fatal problem keeps the table from being built. */
  readonly fatal: boolean;
}
