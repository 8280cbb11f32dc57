import { parseExactJson } from '../contracts/exact-json.ts';
import type { JsonObject } from '../contracts/json.ts';
import { jsonDepth, MAX_JSON_DEPTH } from '../contracts/json-depth.ts';

/**
 * Arguments as a model wrote them, as the object that providers want back; undefined when they are none.
 * No text at all is how some models call a tool without parameters. Integers keep all their digits.
 */
export function parseCallInput(rawInput: string): JsonObject | undefined {
  if (rawInput === '' || rawInput === '{}') return {};
  // What dispatch refuses for its depth would exhaust the stack here, in every later turn of the session.
  if (jsonDepth(rawInput) > MAX_JSON_DEPTH) return undefined;
  try {
    const { value } = parseExactJson(rawInput);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return /^\s*$/.test(rawInput) ? {} : undefined;
  }
}
