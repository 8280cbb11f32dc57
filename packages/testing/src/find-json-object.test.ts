import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findJsonObject } from './find-json-object.ts';

it.each([
  ['查天气 {"city":"北京"} 谢谢', '{"city":"北京"}'],
  ['{ not json } then {"a": {"b": 1}}', '{"a": {"b": 1}}'],
  ['{"text":"a } b { \\" c"} tail }', '{"text":"a } b { \\" c"}'],
  ['{"open": 1', undefined],
  ['[1, 2]', undefined],
  ['nothing', undefined],
])('in %j', (text, found) => {
  expect(findJsonObject(text)).toBe(found);
});

it('gives up on a text of braces', () => {
  expect(findJsonObject('{'.repeat(100_000))).toBeUndefined();
  expect(findJsonObject(`${'{'.repeat(99)}{}`)).toBe('{}');
  expect(findJsonObject(`${'{'.repeat(100)}{}`)).toBeUndefined();
});

it('finds any object again, as it was written', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string({ unit: 'grapheme' }), (object, around) => {
      const written = JSON.stringify(object);
      const plain = around.replaceAll(/[{}"\\]/g, '');
      expect(findJsonObject(plain + written + plain)).toBe(written);
    }),
  );
});
