import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';
import { digest } from './digest.ts';
import type { Json } from './json.ts';

const wellFormed = fc.string({ unit: 'grapheme' });
const json = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    wellFormed,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(wellFormed, tie('value'), { maxKeys: 5 }),
  ),
})).value;

/** The same value with the members of every object in another order. */
function shuffled(value: Json): Json {
  if (Array.isArray(value)) return value.map(shuffled);
  if (value === null || typeof value !== 'object') return value;
  const copy: Record<string, Json> = Object.create(null) as Record<string, Json>;
  for (const [name, member] of Object.entries(value).reverse()) copy[name] = shuffled(member);
  return copy;
}

describe('canonicalJson', () => {
  it('writes the example of RFC 8785, section 3.2.3', () => {
    const value = {
      numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '€$\u000f\nA\'B"\\\\"/',
      literals: [null, true, false],
    };
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('orders names by UTF-16 units, not by code points', () => {
    const value = {
      '\u20ac': 'Euro',
      '\r': 'CR',
      '\ufb33': 'Dalet',
      '1': 'One',
      '\u{1f600}': 'Smile',
      '\u0080': 'C',
      '\u00f6': 'o',
    };
    expect([...canonicalJson(value).matchAll(/:"(\w+)"/g)].map((match) => match[1])).toEqual([
      'CR',
      'One',
      'C',
      'o',
      'Euro',
      'Smile',
      'Dalet',
    ]);
  });

  it.each([
    [-0, '0'],
    [1e21, '1e+21'],
    [Number.MAX_VALUE, '1.7976931348623157e+308'],
    [5e-324, '5e-324'],
    [9007199254740991, '9007199254740991'],
  ])('writes the number %s as %s', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it.each([
    ['NaN', Number.NaN],
    ['an infinity', [Number.POSITIVE_INFINITY]],
    ['a lone surrogate', { a: '\ud800' }],
    ['a lone surrogate in a name', { '\udc00': 1 }],
    ['undefined', { a: undefined }],
    ['a bigint', [1n]],
    ['a hole', new Array(1)],
  ])('refuses %s', (_name, value) => {
    expect(() => canonicalJson(value as Json)).toThrow(TypeError);
  });

  it('refuses a value that contains itself, and allows one that is merely shared', () => {
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    expect(() => canonicalJson(cyclic as Json)).toThrow(TypeError);
    const shared = { a: 1 };
    expect(canonicalJson([shared, shared])).toBe('[{"a":1},{"a":1}]');
  });

  it('keeps a member named __proto__', () => {
    expect(canonicalJson(JSON.parse('{"__proto__":1,"a":2}'))).toBe('{"__proto__":1,"a":2}');
  });

  it('does not depend on the order of members, survives parsing, and equal digests mean equal values', () => {
    fc.assert(
      fc.property(json, json, (value, other) => {
        const text = canonicalJson(value);
        expect(canonicalJson(shuffled(value))).toBe(text);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
        expect(digest(text) === digest(canonicalJson(other))).toBe(text === canonicalJson(other));
      }),
    );
  });
});
