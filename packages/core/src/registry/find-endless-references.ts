import { escapePointer } from '../contracts/escape-pointer.ts';
import type { Json, JsonObject } from '../contracts/json.ts';

/** A reference that leads back to itself while the same value is being checked. */
interface EndlessReference {
  readonly pointer: string;
  readonly value: string;
}

interface Place {
  readonly schema: JsonObject;
  readonly pointer: string;
  /** Address that references count from. */
  readonly base: string;
}

/** Keywords whose schemas judge the same value as the schema around them. */
const SAME_VALUE: readonly string[] = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'];
const SAME_VALUE_BY_NAME: readonly string[] = ['dependentSchemas', 'dependencies'];
const REFERENCES: readonly string[] = ['$ref', '$dynamicRef', '$recursiveRef'];
const NO_SCHEMAS: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples']);
const SCHEMAS_BY_NAME: ReadonlySet<string> = new Set([
  ...SAME_VALUE_BY_NAME,
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
]);
const ROOT = 'schema://root/';

/**
 * Finds references by which a schema judges a value by judging that value, without end: validators would never come
 * back from such a schema. References to the parts of a value (`properties`, `items`, …) end with the value.
 *
 * @example
 * findEndlessReferences({ allOf: [{ $ref: '#' }] }) // [{ pointer: '/allOf/0/$ref', value: '#' }]
 */
export function findEndlessReferences(schema: JsonObject): readonly EndlessReference[] {
  const addresses = new Map<string, Place>();
  const places = new Map<JsonObject, Place>();
  gather(schema, '', ROOT, addresses, places);
  addresses.set(ROOT, { schema, pointer: '', base: places.get(schema)?.base ?? ROOT });

  const endless: EndlessReference[] = [];
  const open = new Set<JsonObject>();
  const closed = new Set<JsonObject>();
  const visit = (place: Place): void => {
    open.add(place.schema);
    for (const next of sameValue(place, addresses, places)) {
      if (open.has(next.place.schema)) endless.push(next.reference ?? { pointer: next.place.pointer, value: '' });
      else if (!closed.has(next.place.schema)) visit(next.place);
    }
    open.delete(place.schema);
    closed.add(place.schema);
  };
  for (const place of [...places.values()]) if (!closed.has(place.schema)) visit(place);
  return endless;
}

/** Every object that may be a schema, and the addresses that identifiers give them. */
function gather(
  schema: JsonObject,
  pointer: string,
  outer: string,
  addresses: Map<string, Place>,
  places: Map<JsonObject, Place>,
): void {
  const base = typeof schema.$id === 'string' ? resolve(schema.$id, outer).replace(/#$/, '') : outer;
  const place = { schema, pointer, base };
  places.set(schema, place);
  if (base !== outer) addresses.set(base, place);
  for (const anchor of [schema.$anchor, schema.$dynamicAnchor]) {
    if (typeof anchor === 'string') addresses.set(`${base}#${anchor}`, place);
  }
  const below = (value: Json, at: string): void => {
    if (Array.isArray(value)) for (const [index, item] of value.entries()) below(item, `${at}/${index}`);
    else if (isObject(value)) gather(value, at, base, addresses, places);
  };
  for (const [keyword, member] of Object.entries(schema)) {
    const at = `${pointer}/${escapePointer(keyword)}`;
    if (SCHEMAS_BY_NAME.has(keyword) && isObject(member)) {
      for (const [name, named] of Object.entries(member)) below(named as Json, `${at}/${escapePointer(name)}`);
    } else if (!NO_SCHEMAS.has(keyword)) below(member as Json, at);
  }
}

function* sameValue(
  place: Place,
  addresses: ReadonlyMap<string, Place>,
  places: ReadonlyMap<JsonObject, Place>,
): Generator<{ readonly place: Place; readonly reference?: EndlessReference }> {
  const { schema, pointer, base } = place;
  for (const keyword of REFERENCES) {
    const value = own(schema, keyword);
    if (typeof value !== 'string') continue;
    const target = targetOf(value, base, addresses, places);
    if (target !== undefined) yield { place: target, reference: { pointer: `${pointer}/${keyword}`, value } };
  }
  for (const keyword of SAME_VALUE) {
    // Without `if` the two mean nothing.
    if ((keyword === 'then' || keyword === 'else') && !Object.hasOwn(schema, 'if')) continue;
    const value = own(schema, keyword);
    for (const one of Array.isArray(value) ? value : [value]) {
      const next = isObject(one) ? places.get(one) : undefined;
      if (next !== undefined) yield { place: next };
    }
  }
  for (const keyword of SAME_VALUE_BY_NAME) {
    const value = own(schema, keyword);
    for (const one of isObject(value) ? Object.values(value) : []) {
      const next = isObject(one) ? places.get(one) : undefined;
      if (next !== undefined) yield { place: next };
    }
  }
}

function targetOf(
  value: string,
  base: string,
  addresses: ReadonlyMap<string, Place>,
  places: ReadonlyMap<JsonObject, Place>,
): Place | undefined {
  const address = resolve(value, base);
  const named = addresses.get(address.replace(/#$/, ''));
  if (named !== undefined) return named;
  const [resource = '', fragment = ''] = address.split(/#(.*)/s, 2);
  if (fragment !== '' && !fragment.startsWith('/')) return undefined;
  let found: Json | undefined = addresses.get(resource)?.schema;
  for (const part of decode(fragment).split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (found === null || typeof found !== 'object' || !Object.hasOwn(found, name)) return undefined;
    found = (found as JsonObject)[name];
  }
  return isObject(found) ? places.get(found) : undefined;
}

/** Addresses that cannot be read lead nowhere; that is for others to report. */
function resolve(reference: string, base: string): string {
  try {
    return new URL(reference, base).href;
  } catch {
    return `${base}#/${ROOT}`;
  }
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function own(schema: JsonObject, keyword: string): Json | undefined {
  return Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
}

function isObject(value: Json | undefined): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
