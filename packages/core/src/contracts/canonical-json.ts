import type { Json } from './json.ts';

/** Text of a JSON value in the one form that RFC 8785 allows. */
export type CanonicalJson = string & { readonly __canonical: true };

/**
 * The canonical text of a JSON value by RFC 8785 (JSON Canonicalization Scheme): no white space, members ordered by
 * the UTF-16 units of their names, numbers as ECMAScript writes them. Equal values give equal texts.
 *
 * Throws a `TypeError` for what is not JSON (NaN, infinities, lone surrogates, `undefined`, functions, bigints,
 * cycles): a digest over a silently changed value would vouch for something that nobody saw.
 *
 * @example
 * canonicalJson({ b: 1.0, a: '北京' }) // '{"a":"北京","b":1}'
 */
export function canonicalJson(value: Json): CanonicalJson {
  return write(value, new Set()) as CanonicalJson;
}

function write(value: unknown, ancestors: Set<object>): string {
  switch (typeof value) {
    case 'string':
      return writeString(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`${value} is not a JSON number`);
      return JSON.stringify(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      return value === null ? 'null' : writeContainer(value, ancestors);
    default:
      throw new TypeError(`a value of type ${typeof value} is not JSON`);
  }
}

function writeContainer(value: object, ancestors: Set<object>): string {
  if (ancestors.has(value)) throw new TypeError('a value that contains itself is not JSON');
  ancestors.add(value);
  let text: string;
  if (Array.isArray(value)) {
    text = `[${Array.from(value, (item) => write(item, ancestors)).join(',')}]`;
  } else {
    const members = value as Record<string, unknown>;
    // Without a comparison function sort() orders by UTF-16 units, as the RFC demands.
    const names = Object.keys(members).sort();
    text = `{${names.map((name) => `${writeString(name)}:${write(members[name], ancestors)}`).join(',')}}`;
  }
  ancestors.delete(value);
  return text;
}

function writeString(value: string): string {
  if (!value.isWellFormed())
    throw new TypeError('a string with a lone surrogate is not JSON (RFC 8785, section 3.2.2.2)');
  return JSON.stringify(value);
}
