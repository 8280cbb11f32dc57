import { type DeclaredSuccess, declaredOutcomeMark } from './declared-outcome.ts';

/**
 * Ends the call with a result, whether it is returned or thrown (out of a deep callback, say). The result is treated
 * like a returned one: a string, any JSON value, or `contentParts`.
 *
 * @example
 * return success({ city, celsius: 21 });
 */
export function success<Result>(result: Result): DeclaredSuccess<Result> {
  return Object.freeze({ [declaredOutcomeMark]: 'success', result });
}
