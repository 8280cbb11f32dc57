import type { Json, JsonObject } from '../contracts/json.ts';

/** Is it an object with members, not a list? */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
