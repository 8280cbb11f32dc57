import type { Json, JsonObject } from '../contracts/json.ts';
import { createMask, MASKED } from './create-mask.ts';
import { isJsonObject } from './is-json-object.ts';
import type { ConfigLevel } from './layer.ts';
import type { LoadedConfig } from './load-config.ts';
import { parseKeyPath } from './parse-key-path.ts';
import { schemaKeys } from './schema-keys.ts';

/** One value of the configuration, safe to print. */
export interface ConfigRow {
  readonly key: string;
  /** `••••` in place of a secret, also inside a longer text. */
  readonly value: Json;
  readonly origin: ConfigLevel;
  /** File (with line, where known), variable or flag. */
  readonly place?: string;
}

/**
 * Every value that counts, defaults included, in the order of the schema. Keys without a value are left out.
 *
 * @example
 * showConfig(loaded)[0] // { key: 'turn.maxSteps', value: 15, origin: 'default' }
 */
export function showConfig(loaded: LoadedConfig): readonly ConfigRow[] {
  const mask = createMask(loaded.secretTexts);
  const order = schemaKeys().map(({ path }) => path);
  const rankOf = (path: readonly string[]): number => {
    const rank = order.findIndex((one) =>
      one.slice(0, path.length).every((name, index) => name === '<name>' || name === path[index]),
    );
    return rank === -1 ? order.length : rank;
  };
  const rows = [...loaded.origins].map(([key, { level, place }]) => {
    const path = parseKeyPath(key);
    const value =
      path === undefined || loaded.secrets.has(key) ? MASKED : maskJson(valueAt(loaded.settings, path), mask);
    const row: ConfigRow = { key: mask(key), value, origin: level, ...(place === undefined ? {} : { place }) };
    return { row, rank: rankOf(path ?? []) };
  });
  return rows.sort((a, b) => a.rank - b.rank).map(({ row }) => row);
}

function maskJson(value: Json, mask: (text: string) => string): Json {
  if (typeof value === 'string') return mask(value);
  if (typeof value === 'number') {
    const masked = mask(String(value));
    return masked === String(value) ? value : masked;
  }
  if (Array.isArray(value)) return value.map((item: Json) => maskJson(item, mask));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, member]): [string, Json] => [mask(name), maskJson(member, mask)]);
  return Object.fromEntries(members) as JsonObject;
}

function valueAt(settings: object, path: readonly string[]): Json {
  let current: unknown = settings;
  for (const name of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name)) return null;
    current = Reflect.get(current, name);
  }
  return current as Json;
}
