import { expect, it } from 'vitest';
import { parsePattern } from './parse-pattern.ts';

it.each([
  ['天气', '天气'],
  ['/help', '/help'],
  ['', ''],
  ['//', '//'],
  ['/天气|weather/i', /天气|weather/i],
  ['/a/b/', /a\/b/],
  ['/第一行\n第二行/s', /第一行\n第二行/s],
])('%j', (text, pattern) => {
  expect(parsePattern(text)).toEqual(pattern);
});

it.each(['/(/', '/a/q'])('%j is no regular expression', (text) => {
  expect(() => parsePattern(text)).toThrow(SyntaxError);
});
