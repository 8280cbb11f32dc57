import type { Effect, OutcomeCode } from '../contracts/outcome.ts';

const mark = Symbol.for('baigong.invoke-error');

/** How the call ended that `context.invoke` made. */
export interface InvokeFailure {
  readonly toolName: string;
  readonly code: OutcomeCode;
  /** What was wrong, in the language of the person. */
  readonly reason: string;
  /** What a model would have been advised to do. */
  readonly hint: string;
  readonly retryable: boolean;
  readonly effect: Effect;
}

/**
 * The tool that `context.invoke` ran did not succeed. `message` names it and its reason. Not caught, it ends the
 * calling tool as EXECUTION_ERROR with that message.
 *
 * @example
 * try {
 *   return await context.invoke('weather', { city });
 * } catch (error) {
 *   if (InvokeError.isInstance(error) && error.code === 'UPSTREAM_UNAVAILABLE') return 'no weather today';
 *   throw error;
 * }
 */
export class InvokeError extends Error implements InvokeFailure {
  override readonly name = 'InvokeError';
  readonly toolName: string;
  readonly code: OutcomeCode;
  readonly reason: string;
  readonly hint: string;
  readonly retryable: boolean;
  readonly effect: Effect;
  readonly [mark] = true;

  constructor(message: string, failure: InvokeFailure) {
    super(message);
    this.toolName = failure.toolName;
    this.code = failure.code;
    this.reason = failure.reason;
    this.hint = failure.hint;
    this.retryable = failure.retryable;
    this.effect = failure.effect;
  }

  /** Holds across copies of this package, which `instanceof` does not. */
  static isInstance(value: unknown): value is InvokeError {
    return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[mark] === true;
  }
}
