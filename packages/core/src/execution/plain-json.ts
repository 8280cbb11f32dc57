import { escapePointer } from '../contracts/escape-pointer.ts';
import type { Json } from '../contracts/json.ts';
import type { MessageKey } from '../contracts/message-key.ts';
import { text } from '../contracts/texts/text.ts';
import { executionLimits } from './execution-limits.ts';

export type PlainJson =
  /** `undefined` where there is nothing, which JSON cannot say. */
  | { readonly ok: true; readonly value: Json | undefined }
  /** The first place that is not JSON: a JSON pointer (empty = the whole) and what stands there. */
  | { readonly ok: false; readonly pointer: string; readonly found: MessageKey };

/**
 * A copy of a value as plain JSON data. Nothing is changed silently: what `JSON.stringify` would turn into `null` or
 * `{}` (NaN, bigints, functions, maps, buffers, promises, errors) is refused. Members that are `undefined` are absent;
 * what says its own JSON (`Date`, `URL`, `toJSON`) is taken at its word; other objects count as their own members.
 *
 * @example
 * plainJson({ at: new Date(0), note: undefined }) // { ok: true, value: { at: '1970-01-01T00:00:00.000Z' } }
 */
export function plainJson(value: unknown): PlainJson {
  const walk: Walk = { ancestors: new Set(), path: [] };
  try {
    return { ok: true, value: copy(value, walk) };
  } catch (error) {
    const pointer = walk.path.map((name) => `/${escapePointer(String(name))}`).join('');
    // Anything else was thrown by a getter, a proxy or a toJSON of the author's.
    return { ok: false, pointer, found: error instanceof NotJson ? error.found : text('execution.found-unreadable') };
  }
}

interface Walk {
  readonly ancestors: Set<object>;
  /** Where the walk is; where it stays when it throws. */
  readonly path: (string | number)[];
}

class NotJson extends Error {
  readonly found: MessageKey;
  constructor(found: MessageKey) {
    super(found.key);
    this.found = found;
  }
}

function copy(value: unknown, walk: Walk): Json | undefined {
  switch (typeof value) {
    case 'undefined':
      return undefined;
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (Number.isFinite(value)) return value;
      throw foundType(String(value));
    case 'object':
      return value === null ? null : copyObject(value, walk);
    default:
      throw foundType(typeof value);
  }
}

function copyObject(value: object, walk: Walk): Json | undefined {
  const { ancestors, path } = walk;
  if (ancestors.has(value)) throw new NotJson(text('execution.found-cycle'));
  if (ancestors.size >= executionLimits.depth) {
    path.length = 0;
    throw new NotJson(text('execution.found-too-deep', { limit: executionLimits.depth }));
  }
  if (ArrayBuffer.isView(value)) throw foundType(nameOf(value));
  ancestors.add(value);
  const { toJSON } = value as { readonly toJSON?: unknown };
  const said: unknown = typeof toJSON === 'function' ? toJSON.call(value, String(path.at(-1) ?? '')) : value;
  let result: Json | undefined;
  if (said === value) result = copyMembers(value, walk);
  else if (value instanceof Date && said === null) throw foundType('Invalid Date');
  else result = copy(said, walk);
  ancestors.delete(value);
  return result;
}

function copyMembers(value: object, walk: Walk): Json | undefined {
  if (Array.isArray(value)) {
    return Array.from(value, (_item, index) => copyMember(value, index, walk) ?? null);
  }
  if (value instanceof String || value instanceof Number || value instanceof Boolean) {
    return copy(value.valueOf(), walk);
  }
  const names = Object.keys(value);
  if (names.length === 0 && !isPlain(value)) throw foundType(nameOf(value));
  const members: Record<string, Json> = {};
  for (const name of names) {
    const member = copyMember(value, name, walk);
    if (member === undefined) continue;
    if (name !== '__proto__') members[name] = member;
    // Assigned, it would change the prototype; it is a member like any other.
    else Object.defineProperty(members, name, { value: member, writable: true, enumerable: true, configurable: true });
  }
  return members;
}

function copyMember(container: object, name: string | number, walk: Walk): Json | undefined {
  walk.path.push(name);
  const copied = copy((container as Record<string | number, unknown>)[name], walk);
  walk.path.pop();
  return copied;
}

/** An object literal (of any realm), or an object without prototype. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function foundType(type: string): NotJson {
  return new NotJson(text('execution.found-type', { type }));
}

function nameOf(value: object): string {
  const name: unknown = value.constructor?.name;
  return typeof name === 'string' && name !== '' ? name : 'Object';
}
