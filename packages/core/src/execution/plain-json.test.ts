import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderText } from '../contracts/texts/render-text.ts';
import { executionLimits } from './execution-limits.ts';
import { plainJson } from './plain-json.ts';

function cyclic(): object {
  const value: Record<string, unknown> = { list: [] };
  (value.list as unknown[]).push({ back: value });
  return value;
}

function nested(levels: number): unknown {
  let value: unknown = 0;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

describe('plainJson', () => {
  it('copies every JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(plainJson(value)).toEqual({ ok: true, value });
      }),
    );
  });

  it('agrees with JSON.stringify wherever it accepts', () => {
    fc.assert(
      fc.property(fc.anything({ withDate: true, withNullPrototype: true, withSparseArray: true }), (value) => {
        const plain = plainJson(value);
        if (!plain.ok || plain.value === undefined) return;
        expect(JSON.stringify(plain.value)).toBe(JSON.stringify(value));
      }),
    );
  });

  it.each<[string, unknown, unknown]>([
    ['nothing', undefined, undefined],
    ['members that are undefined', { a: undefined, b: 1 }, { b: 1 }],
    ['undefined in a list', [undefined, 1], [null, 1]],
    ['a Date', { at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }],
    ['a URL', new URL('https://example.com/'), 'https://example.com/'],
    ['its own JSON', { toJSON: (key: string) => `at ${key}` }, 'at '],
    ['a row of a driver', Object.assign(new (class TextRow {})(), { id: 1 }), { id: 1 }],
    ['an object without prototype', Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    ['boxed values', [Object('a'), Object(1), Object(false)], ['a', 1, false]],
    ['the same object twice', ((one) => [one, one])({ a: 1 }), [{ a: 1 }, { a: 1 }]],
    ['a lone surrogate', '\ud800', '\ud800'],
  ])('takes %s', (_name, value, expected) => {
    expect(plainJson(value)).toEqual({ ok: true, value: expected });
  });

  it('keeps a member called __proto__ a member', () => {
    const plain = plainJson(JSON.parse('{"__proto__":{"polluted":true},"constructor":1}'));
    expect(plain.ok && JSON.stringify(plain.value)).toBe('{"__proto__":{"polluted":true},"constructor":1}');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it.each<[string, unknown, string, string]>([
    ['a bigint', { a: [1n] }, '/a/0', 'bigint'],
    ['NaN', { 'a/b': { '~': Number.NaN } }, '/a~1b/~0', 'NaN'],
    ['infinity', [1, Number.NEGATIVE_INFINITY], '/1', '-Infinity'],
    ['a function', { f: () => 1 }, '/f', 'function'],
    ['a symbol', Symbol('x'), '', 'symbol'],
    ['a Map', { m: new Map([[1, 2]]) }, '/m', 'Map'],
    ['a Set', new Set([1]), '', 'Set'],
    ['an error', { e: new Error('x') }, '/e', 'Error'],
    ['a promise', [Promise.resolve(1)], '/0', 'Promise'],
    ['a regular expression', /x/, '', 'RegExp'],
    ['bytes', { b: Buffer.from('x') }, '/b', 'Buffer'],
    ['a typed array', new Float64Array(2), '', 'Float64Array'],
    ['an invalid date', { at: new Date(Number.NaN) }, '/at', 'Invalid Date'],
    ['a cycle', cyclic(), '/list/0/back', 'a value that contains itself'],
    [
      'a getter that throws',
      {
        a: {
          get b() {
            throw new Error('no');
          },
        },
      },
      '/a/b',
      'a member that cannot be read',
    ],
  ])('refuses %s and names where', (_name, value, pointer, found) => {
    const plain = plainJson(value);
    expect(plain.ok ? plain : { pointer: plain.pointer, found: renderText(plain.found, 'en') }).toEqual({
      pointer,
      found,
    });
  });

  it('accepts nesting up to its limit and refuses more without overflowing', () => {
    expect(plainJson(nested(executionLimits.depth)).ok).toBe(true);
    expect(plainJson(nested(executionLimits.depth + 1))).toMatchObject({ ok: false, pointer: '' });
    expect(plainJson(nested(1_000_000))).toMatchObject({ ok: false, pointer: '' });
  });
});
