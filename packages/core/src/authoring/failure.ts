import { type DeclaredFailure, declaredOutcomeMark, type FailureDetails } from './declared-outcome.ts';

/**
 * Ends the call with a failure, whether it is returned or thrown: the model reads `error_type`, `message`, `hint` and
 * `retryable` unchanged, but for paths of this machine, which are left out. A message of more than 8,192 characters and
 * a hint of more than 2,048 are cut. An `error_type` that a tool may not claim ends the call as EXECUTION_ERROR that
 * names the possible ones.
 *
 * @example
 * return failure({ error_type: 'RATE_LIMITED', message: 'The quota of today is used up.', hint: 'Try tomorrow.' });
 */
export function failure(details: FailureDetails): DeclaredFailure {
  return Object.freeze({ ...details, [declaredOutcomeMark]: 'failure' as const });
}
