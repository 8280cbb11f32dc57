import type { Json, JsonObject } from '../contracts/json.ts';
import { MAX_JSON_DEPTH } from '../contracts/json-depth.ts';
import type { KeyPath } from './key-path.ts';

/** Values in one file. Aliases of YAML count wherever they stand. */
export const MAX_CONFIG_VALUES = 100_000;

const MOST_FAULTS = 100;

/** A place whose value cannot be configuration. */
export interface PlainFault {
  readonly path: KeyPath;
  /** What stands there, by kind: never the value. */
  readonly found: string;
  readonly kind: 'not-json' | 'too-large';
}

/** A value as plain JSON, and what had to be left out of it. */
export interface PlainConfig {
  readonly value: Json | undefined;
  readonly faults: readonly PlainFault[];
}

/**
 * Copies a value as plain JSON and names every place that is none: functions, dates, instances of classes, NaN, integers
 * that were rounded, texts with half characters, what is nested deeper than 100 levels. A list with such an item is
 * left out whole. Never throws, whatever getters and proxies the value holds.
 */
export function toPlainConfig(value: unknown): PlainConfig {
  const walk: Walk = { faults: [], left: MAX_CONFIG_VALUES };
  const copied = copy(value, [], walk);
  if (walk.left < 0) return { value: undefined, faults: [{ path: [], found: '…', kind: 'too-large' }] };
  return { value: copied, faults: walk.faults };
}

interface Walk {
  readonly faults: PlainFault[];
  left: number;
}

function copy(value: unknown, path: KeyPath, walk: Walk): Json | undefined {
  if (--walk.left < 0) return undefined;
  switch (typeof value) {
    case 'boolean':
    case 'undefined':
      return value;
    case 'string':
      return value.isWellFormed() ? value : fault('!string.isWellFormed()', path, walk);
    case 'number':
      if (!Number.isFinite(value)) return fault(String(value), path, walk);
      return Number.isInteger(value) && !Number.isSafeInteger(value)
        ? fault('|integer| > 2^53 − 1', path, walk)
        : value;
    case 'object':
      try {
        return value === null ? null : copyObject(value, path, walk);
      } catch {
        return fault('get() { throw }', path, walk);
      }
    default:
      return fault(typeof value, path, walk);
  }
}

function copyObject(value: object, path: KeyPath, walk: Walk): Json | undefined {
  if (path.length >= MAX_JSON_DEPTH) return fault(`[[[…]]] > ${MAX_JSON_DEPTH}`, path, walk);
  if (Array.isArray(value)) {
    const items: Json[] = [];
    for (const [index, item] of value.entries()) {
      const copied = copy(item, [...path, index], walk);
      if (walk.left < 0) return undefined;
      if (item === undefined) fault('undefined', [...path, index], walk);
      if (copied !== undefined) items.push(copied);
    }
    return items.length === value.length ? items : undefined;
  }
  if (!isPlain(value)) return fault(nameOf(value), path, walk);
  const members: [string, Json][] = [];
  for (const name of Object.keys(value)) {
    if (walk.left < 0) return undefined;
    if (!name.isWellFormed()) {
      fault('!string.isWellFormed()', [...path, name.toWellFormed()], walk);
      continue;
    }
    const member = copyMember(value, name, path, walk);
    if (member !== undefined) members.push([name, member]);
  }
  return Object.fromEntries(members) as JsonObject;
}

function copyMember(container: object, name: string, path: KeyPath, walk: Walk): Json | undefined {
  let member: unknown;
  try {
    member = Reflect.get(container, name);
  } catch {
    return fault('get() { throw }', [...path, name], walk);
  }
  return copy(member, [...path, name], walk);
}

function fault(found: string, path: KeyPath, walk: Walk): undefined {
  if (walk.faults.length < MOST_FAULTS) walk.faults.push({ path, found, kind: 'not-json' });
}

/** An object literal (of any realm), or an object without prototype. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function nameOf(value: object): string {
  const name: unknown = value.constructor?.name;
  return typeof name === 'string' && name !== '' ? name : 'Object';
}
