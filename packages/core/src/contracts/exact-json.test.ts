import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExactJson } from './exact-json.ts';

describe('parseExactJson', () => {
  it.each([
    ['9007199254740991', 9007199254740991],
    ['-9007199254740991', -9007199254740991],
    ['9007199254740992', '9007199254740992'],
    ['9007199254740993', '9007199254740993'],
    ['-12345678901234567890', '-12345678901234567890'],
    ['9007199254740993.0', '9007199254740993.0'],
    ['9007199254740991.0', 9007199254740991],
    ['9.007199254740993e15', '9.007199254740993e15'],
    ['1e3', 1000],
    ['1E20', 1e20],
    ['1e23', '1e23'],
    ['1e400', '1e400'],
    ['-1e400', '-1e400'],
    ['1e-400', 0],
    ['0.1', 0.1],
    ['0.12345678901234567890', 0.12345678901234568],
    ['123456789012345.67890', 123456789012345.67],
    ['900719925474099300e-2', '900719925474099300e-2'],
    ['0e999', 0],
    ['"12345678901234567890"', '12345678901234567890'],
  ])('reads %s', (text, value) => {
    const parsed = parseExactJson(text);
    expect(parsed.value).toStrictEqual(value);
    expect(parsed.inexact.has('')).toBe(typeof value === 'string' && !text.startsWith('"'));
  });

  it('names where the digits stand', () => {
    const { value, inexact } = parseExactJson('{"a/b":[1,{"~":12345678901234567890}],"s":"99999999999999999999"}');
    expect(value).toEqual({ 'a/b': [1, { '~': '12345678901234567890' }], s: '99999999999999999999' });
    expect([...inexact]).toEqual([['/a~1b/1/~0', '12345678901234567890']]);
  });

  it('treats __proto__ as an ordinary member', () => {
    const { value } = parseExactJson('{"__proto__":12345678901234567890,"constructor":1e2}');
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.getOwnPropertyDescriptor(value, '__proto__')?.value).toBe('12345678901234567890');
  });

  it.each(['', '{', '{"a":01}', '[1,]', 'undefined', '{"a":12345678901234567890'])('refuses %j', (text) => {
    expect(() => parseExactJson(text)).toThrow(SyntaxError);
  });

  it('never rounds an integer, wherever it stands', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), fc.nat(3), (integer, depth) => {
        const text = `${'['.repeat(depth)}${integer}${']'.repeat(depth)}`;
        let value: unknown = parseExactJson(text).value;
        for (let level = 0; level < depth; level++) value = (value as unknown[])[0];
        expect(BigInt(value as string | number)).toBe(integer);
      }),
    );
  });

  it('agrees with JSON.parse on everything that a double holds', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        const { value: parsed, inexact } = parseExactJson(text);
        if (inexact.size === 0) expect(parsed).toEqual(JSON.parse(text));
      }),
    );
  });
});
