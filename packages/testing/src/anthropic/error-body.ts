import type { JsonRecord } from '../json-value.ts';
import type { RequestProblem } from '../wire-format.ts';

const types = new Map([
  [401, 'authentication_error'],
  [402, 'billing_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [504, 'timeout_error'],
  [529, 'overloaded_error'],
]);

/** Anthropic's error object; the type follows the status. */
export function errorBody({ status, message }: RequestProblem): JsonRecord {
  const type = types.get(status) ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
  return { type: 'error', error: { type, message } };
}
