import { expect, test } from 'vitest';
import { firstSentence } from './first-sentence.ts';

test.each([
  ['Adds. Returns the sum.', 'Adds.'],
  ['Adds e.g. Two numbers, i.e. 1. Then more', 'Adds e.g. Two numbers, i.e. 1.'],
  ['Reads package.json? Yes.', 'Reads package.json?'],
  ['相加。返回和。', '相加。'],
  ['First line\nsecond', 'First line'],
  ['  no   end ', 'no end'],
  ['', ''],
  ['x'.repeat(500), `${'x'.repeat(119)}…`],
])('the first sentence of %j', (description, expected) => {
  expect(firstSentence(description)).toBe(expected);
});
