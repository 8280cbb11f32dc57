import { canonicalJson } from '../contracts/canonical-json.ts';
import type { JsonObject } from '../contracts/json.ts';

/** A lone surrogate has no canonical form; the text as written tells such inputs apart well enough. */
export function canonicalOrRaw(input: JsonObject, rawInput: string): string {
  try {
    return canonicalJson(input);
  } catch {
    return rawInput;
  }
}
