import { expect, it } from 'vitest';
import { showValue } from './show-value.ts';

it.each([
  [undefined, 'undefined'],
  [null, 'null'],
  ['京', '"京"'],
  [{ risk: 'high' }, '{"risk":"high"}'],
  ['a\u001b[2J\nb', '"a\\u001b[2J\\nb"'],
  ['\u202egnp.exe\u2028', '"\\u202egnp.exe\\u2028"'],
  ['\ud800', '"\\ud800"'],
])('shows %j as %s', (value, expected) => {
  expect(showValue(value)).toBe(expected);
});

it('keeps to 80 characters without cutting one in half', () => {
  const shown = showValue(`x${'😀'.repeat(100)}`);
  expect(shown).toHaveLength(80);
  expect(shown.endsWith('…')).toBe(true);
  expect(shown.isWellFormed()).toBe(true);
});
