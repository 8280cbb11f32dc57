import { mkdir, realpath, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findPackage } from './find-package.ts';
import { writeProject } from './fixtures/write-project.ts';

describe('findPackage', () => {
  it('looks into the nearest node_modules first, then further up, whatever a package exports', async () => {
    const root = await realpath(
      await writeProject({
        'node_modules/near/package.json': '{}',
        'node_modules/far/package.json': '{ "type": "module", "exports": {} }',
        'app/node_modules/near/package.json': '{}',
        'app/bot/tools/a/index.ts': '',
      }),
    );
    const from = join(root, 'app/bot');
    expect(findPackage('near', from)?.real).toBe(join(root, 'app/node_modules/near'));
    expect(findPackage('far', from)?.real).toBe(join(root, 'node_modules/far'));
    expect(findPackage('gone', from)).toBeUndefined();
  });

  it('follows links as pnpm and workspaces make them, and passes over those that lead nowhere', async () => {
    const root = await realpath(
      await writeProject({
        'node_modules/.pnpm/maps@1/node_modules/maps/package.json': '{}',
        'node_modules/broken/package.json': '{}',
        'app/node_modules/file': '',
        'node_modules/file/package.json': '{}',
        'app/package.json': '{}',
      }),
    );
    await mkdir(join(root, 'app/node_modules'), { recursive: true });
    await symlink('../../node_modules/.pnpm/maps@1/node_modules/maps', join(root, 'app/node_modules/maps'));
    await symlink('nowhere', join(root, 'app/node_modules/broken'));
    expect(findPackage('maps', join(root, 'app'))).toEqual({
      folder: join(root, 'app/node_modules/maps'),
      real: join(root, 'node_modules/.pnpm/maps@1/node_modules/maps'),
      segment: 'maps',
    });
    expect(findPackage('broken', join(root, 'app'))?.real).toBe(join(root, 'node_modules/broken'));
    expect(findPackage('file', join(root, 'app'))?.real).toBe(join(root, 'node_modules/file'));
  });

  it.each([
    ['baigong-plugin-maps', 'maps'],
    ['zhin-plugin-maps', 'maps'],
    ['plugin-maps', 'maps'],
    ['plugin-', 'plugin-'],
    ['@acme/baigong-plugin-maps', 'maps'],
    ['@acme/maps', 'maps'],
    ['maps-plugin-x', 'maps-plugin-x'],
    ['maps.js', 'maps-js'],
  ])('calls the plugin of %s %s', async (name, segment) => {
    const root = await writeProject({ [`node_modules/${name}/package.json`]: '{}' });
    expect(findPackage(name, root)?.segment).toBe(segment);
  });

  it.each([
    '..',
    '../outside',
    '.hidden',
    '@a',
    '@a/../../outside',
    'a/b',
    '/tmp',
    '',
    'a\0b',
    'C:\\x',
    'x'.repeat(300),
  ])('takes %j for no package', async (name) => {
    const root = await writeProject({ 'outside/package.json': '{}', 'node_modules/a/b/package.json': '{}' });
    expect(findPackage(name, root)).toBeUndefined();
  });
});
