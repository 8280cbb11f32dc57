import type { Json } from '../contracts/json.ts';
import type { Outcome } from '../contracts/outcome.ts';
import { withoutData } from '../contracts/without-data.ts';

/** Characters of JSON of one result in a record. */
const RESULT_CHARS = 65_536;

/** An outcome as a record keeps it: images and files by their size only, and so a result that is very long. */
export function recordableOutcome(outcome: Outcome): Json {
  if (outcome.status === 'error') return JSON.parse(JSON.stringify(outcome));
  const { result, ...rest } = outcome;
  const value = result.kind === 'parts' ? withoutData(result.value) : result.value;
  const json = JSON.stringify(value);
  const kept: Json =
    json.length <= RESULT_CHARS ? { kind: result.kind, value } : { kind: result.kind, chars: json.length };
  return { ...JSON.parse(JSON.stringify(rest)), result: kept };
}
