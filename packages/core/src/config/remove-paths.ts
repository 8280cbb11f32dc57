import type { Json, JsonObject } from '../contracts/json.ts';
import { formatKeyPath } from './format-key-path.ts';
import { isJsonObject } from './is-json-object.ts';

/** A copy of an object without the keys that are named as `formatKeyPath` writes them. Objects stay, if emptied. */
export function removePaths(value: JsonObject, removed: ReadonlySet<string>): JsonObject {
  return removed.size === 0 ? value : copy(value, [], removed);
}

function copy(value: JsonObject, path: readonly string[], removed: ReadonlySet<string>): JsonObject {
  const members = Object.entries(value).flatMap(([name, member]): readonly [string, Json][] => {
    const inner = [...path, name];
    if (removed.has(formatKeyPath(inner))) return [];
    return [[name, isJsonObject(member) ? copy(member, inner, removed) : member]];
  });
  return Object.fromEntries(members);
}
