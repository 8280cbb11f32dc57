import { escapePointer } from './escape-pointer.ts';
import type { Json } from './json.ts';

export interface ExactJson {
  readonly value: Json;
  /** Numbers that a double cannot hold exactly, by JSON pointer: they stand in `value` as their exact digits, a string. */
  readonly inexact: ReadonlyMap<string, string>;
}

/** A run that could be an integer beyond 2^53, or any exponent: without one, plain parsing is exact for integers. */
const SUSPICIOUS = /\d{16}|\d[eE]/;

/**
 * Parses JSON without ever rounding an integer: group, order and message ids of chat platforms exceed 2^53.
 * A number that denotes an integer which a double cannot hold safely, or that is too large for a double, becomes the
 * string of its digits as written and is listed in `inexact`; the schema then says whether a string is welcome.
 * Fractions are read as every JSON parser reads them. `__proto__` is an ordinary member.
 *
 * Throws the `SyntaxError` of `JSON.parse`.
 *
 * @example
 * parseExactJson('{"group":12345678901234567890}').value // { group: '12345678901234567890' }
 */
export function parseExactJson(text: string): ExactJson {
  if (!SUSPICIOUS.test(text)) return { value: JSON.parse(text) as Json, inexact: new Map() };
  const parse = JSON.parse as (text: string, reviver: Reviver) => Json | ExactDigits;
  const inexact = new Map<string, string>();
  // A reviver sees children before parents and no path: digits are marked first, named and unwrapped afterwards.
  const marked = parse(text, (_key, value, context) =>
    typeof value === 'number' && context.source !== undefined && !isExact(value, context.source)
      ? new ExactDigits(context.source)
      : value,
  );
  return { value: unwrap(marked, '', inexact), inexact };
}

type Reviver = (this: unknown, key: string, value: Json, context: { readonly source?: string }) => Json | ExactDigits;

class ExactDigits {
  readonly digits: string;
  constructor(digits: string) {
    this.digits = digits;
  }
}

function isExact(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return false;
  // No integer rounds to a safe one, and a fraction may be read as every parser reads it.
  if (Number.isSafeInteger(value) || !Number.isInteger(value)) return true;
  // Beyond 2^53 a bare integer is an id; a number written with an exponent is a quantity and need only be exact.
  return /[eE]/.test(source) && !isRoundedInteger(value, source);
}

/** Does the literal denote an integer other than `value`? */
function isRoundedInteger(value: number, source: string): boolean {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source);
  if (match === null) return false;
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match;
  const fractionDigits = withoutTrailingZeros(fraction);
  const exponent = Number(exponentText) - fractionDigits.length;
  const digits = whole + fractionDigits;
  if (exponent < 0) {
    const dropped = digits.slice(exponent);
    if (/[^0]/.test(dropped)) return false;
    return BigInt(sign + (digits.slice(0, exponent) || '0')) !== BigInt(value);
  }
  // A finite double has at most 309 digits before the point: larger exponents only occur with zeros.
  if (exponent > 400) return false;
  return BigInt(`${sign}${digits}${'0'.repeat(exponent)}`) !== BigInt(value);
}

/** A loop, since `/0+$/` takes quadratic time on many zeros that are not at the end. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}

function unwrap(value: Json | ExactDigits, pointer: string, inexact: Map<string, string>): Json {
  if (value instanceof ExactDigits) {
    inexact.set(pointer, value.digits);
    return value.digits;
  }
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) value[index] = unwrap(item, `${pointer}/${index}`, inexact);
    return value;
  }
  const members = value as Record<string, Json>;
  for (const name of Object.keys(members)) {
    const replaced = unwrap(members[name] as Json, `${pointer}/${escapePointer(name)}`, inexact);
    if (replaced !== members[name]) {
      Object.defineProperty(members, name, { value: replaced, writable: true, enumerable: true, configurable: true });
    }
  }
  return members;
}
