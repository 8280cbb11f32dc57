import { expect, it } from 'vitest';
import { nearestName } from './nearest-name.ts';

const known = ['text', 'reasoning', 'calls', 'finishReason', 'constructor'];

it.each([
  ['txt', 'text'],
  ['TEXT', 'text'],
  ['call', 'calls'],
  ['finish_reason', 'finishReason'],
  ['reasonning', 'reasoning'],
  ['temperature', undefined],
  ['', undefined],
  ['toString', undefined],
])('%j is nearest to %j', (name, nearest) => {
  expect(nearestName(name, known)).toBe(nearest);
});
