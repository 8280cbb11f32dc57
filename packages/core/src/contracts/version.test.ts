import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { VERSION } from './version.ts';

it('is the version of the package', () => {
  const file = new URL('../../package.json', import.meta.url);
  expect(VERSION).toBe((JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version);
});
