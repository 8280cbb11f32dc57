import type { JsonRecord } from '../json-value.ts';
import type { RequestProblem } from '../wire-format.ts';

const kinds = new Map([
  [401, { type: 'invalid_request_error', code: 'invalid_api_key' }],
  [404, { type: 'invalid_request_error', code: 'model_not_found' }],
  [429, { type: 'requests', code: 'rate_limit_exceeded' }],
]);

/** OpenAI's error object; type and code follow the status as on api.openai.com. */
export function errorBody({ status, message, param, code }: RequestProblem): JsonRecord {
  const otherwise = { type: status >= 500 ? 'server_error' : 'invalid_request_error', code: null };
  const kind = kinds.get(status) ?? otherwise;
  return { error: { message, type: kind.type, param: param ?? null, code: code ?? kind.code } };
}
