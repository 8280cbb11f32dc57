import type { Json, JsonObject } from '../contracts/json.ts';
import { formatKeyPath } from './format-key-path.ts';
import { isJsonObject } from './is-json-object.ts';
import type { ConfigLevel, Layer } from './layer.ts';

/** Where a value came from. */
export interface ConfigOrigin {
  readonly level: ConfigLevel;
  /** File (with line, where known), variable or flag. */
  readonly place?: string;
}

export interface MergedLayers {
  readonly value: JsonObject;
  /** By key, as `formatKeyPath` writes it; lists and empty objects count as one value. */
  readonly origins: ReadonlyMap<string, ConfigOrigin>;
  /** Keys whose value came by reference. */
  readonly secrets: ReadonlySet<string>;
}

type Branch =
  | { readonly kind: 'object'; readonly layer: Layer; readonly members: ReadonlyMap<string, Branch> }
  | { readonly kind: 'leaf'; readonly layer: Layer; readonly value: Json };

/**
 * Lays layers over one another, the one that counts least first: objects merge member by member, everything else
 * replaces. A plugin that is only switched on (`true`) keeps the configuration that lower layers have for it.
 */
export function mergeLayers(layers: readonly Layer[]): MergedLayers {
  const merged = layers.map((layer) => grow(layer.value, layer)).reduce((low, high) => lay(high, low, []));
  const origins = new Map<string, ConfigOrigin>();
  const secrets = new Set<string>();
  const value = collect(merged, [], origins, secrets);
  return { value: isJsonObject(value) ? value : {}, origins, secrets };
}

function grow(value: Json, layer: Layer): Branch {
  if (!isJsonObject(value)) return { kind: 'leaf', layer, value };
  const members = new Map(Object.entries(value).map(([name, member]) => [name, grow(member, layer)]));
  return { kind: 'object', layer, members };
}

function lay(high: Branch, low: Branch, path: readonly string[]): Branch {
  if (low.kind !== 'object') return high;
  if (high.kind !== 'object') {
    const isSwitchedOn = high.value === true && path.length === 2 && path[0] === 'plugins';
    return isSwitchedOn ? low : high;
  }
  const members = new Map(low.members);
  for (const [name, member] of high.members) {
    const below = members.get(name);
    members.set(name, below === undefined ? member : lay(member, below, [...path, name]));
  }
  return { kind: 'object', layer: high.members.size === 0 ? low.layer : high.layer, members };
}

function collect(
  branch: Branch,
  path: readonly string[],
  origins: Map<string, ConfigOrigin>,
  secrets: Set<string>,
): Json {
  if (branch.kind === 'object' && branch.members.size > 0) {
    return Object.fromEntries(
      [...branch.members].map(([name, member]) => [name, collect(member, [...path, name], origins, secrets)]),
    );
  }
  const key = formatKeyPath(path);
  const place = branch.layer.placeOf(path);
  origins.set(key, { level: branch.layer.level, ...(place === undefined ? {} : { place }) });
  if (branch.layer.secrets.has(key)) secrets.add(key);
  return branch.kind === 'leaf' ? branch.value : {};
}
