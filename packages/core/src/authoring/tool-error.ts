import type { OutcomeCode } from '../contracts/outcome.ts';

const mark = Symbol.for('baigong.tool-error');

export interface ToolErrorOptions {
  /** What to try, or not to try, now. One sentence for the model. */
  readonly hint?: string;
  readonly cause?: unknown;
}

/**
 * Base of the errors by which an author says what went wrong. Throw {@link InputError} or {@link UpstreamError};
 * their text reaches the model unchanged.
 */
export abstract class ToolError extends Error {
  abstract readonly code: OutcomeCode;
  abstract readonly retryable: boolean;
  readonly hint: string | undefined;
  readonly [mark] = true;

  constructor(message: string, options: ToolErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.hint = options.hint;
  }

  /** Holds across copies of this package, which `instanceof` does not. */
  static isInstance(value: unknown): value is ToolError {
    return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[mark] === true;
  }
}
