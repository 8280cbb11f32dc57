import { expect, it } from 'vitest';
import { packageName } from './package-name.ts';

it.each([
  ['zod', 'zod'],
  ['zod/mini', 'zod'],
  ['@scope/name', '@scope/name'],
  ['@scope/name/sub/path.js', '@scope/name'],
  ['fs', undefined],
  ['node:fs', undefined],
  ['node:nothing', undefined],
  ['fs/promises', undefined],
  ['#inner', undefined],
  ['data:text/javascript,1', undefined],
  ['https://example.org/x.js', undefined],
  ['@scope', undefined],
  ['...', undefined],
  ['.hidden', undefined],
  ['/absolute', undefined],
  ['a%2fb', undefined],
  ['', undefined],
])('finds the package of %s', (specifier, name) => {
  expect(packageName(specifier)).toBe(name);
});
