import type { AuthorErrorType } from './author-error-type.ts';

/** Marks what `success` and `failure` made. Registered globally: it holds across copies of this package. */
export const declaredOutcomeMark: unique symbol = Symbol.for('baigong.declared-outcome') as never;

/** What `success` returns. */
export interface DeclaredSuccess<Result = unknown> {
  readonly [declaredOutcomeMark]: 'success';
  readonly result: Result;
}

/** What an author says of a failure. */
export interface FailureDetails {
  readonly error_type: AuthorErrorType;
  /** What happened, to what, why. For the model, unchanged. */
  readonly message: string;
  /** What to try, or not to try, now. One sentence for the model. */
  readonly hint?: string;
  /**
   * May the same call succeed later without any change? Default: true for `UPSTREAM_UNAVAILABLE` and `RATE_LIMITED`,
   * else false.
   */
  readonly retryable?: boolean;
}

/** What `failure` returns. */
export interface DeclaredFailure extends FailureDetails {
  readonly [declaredOutcomeMark]: 'failure';
}
