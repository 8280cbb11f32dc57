import type { Json, JsonObject } from '../contracts/json.ts';

/** @example nest(['turn', 'maxSteps'], 5) // { turn: { maxSteps: 5 } } */
export function nest(path: readonly string[], value: Json): JsonObject {
  const [name = '', ...rest] = path;
  return Object.fromEntries([[name, rest.length === 0 ? value : nest(rest, value)]]);
}
