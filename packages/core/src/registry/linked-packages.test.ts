import { mkdir, realpath, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeProject } from './fixtures/write-project.ts';
import { linkedPackages } from './linked-packages.ts';

it('finds the packages whose code stands below no node_modules', async () => {
  const root = await realpath(
    await writeProject({
      'bot/package.json': '{}',
      'workspace/shared/package.json': '{}',
      'workspace/scoped/package.json': '{}',
      'bot/node_modules/plain/package.json': '{}',
      'bot/node_modules/.store/stored/node_modules/stored/package.json': '{}',
    }),
  );
  await symlink('../../workspace/shared', join(root, 'bot/node_modules/shared'));
  await symlink('.store/stored/node_modules/stored', join(root, 'bot/node_modules/stored'));
  await symlink('nowhere', join(root, 'bot/node_modules/broken'));
  await mkdir(join(root, 'node_modules/@scope'), { recursive: true });
  await symlink('../../workspace/scoped', join(root, 'node_modules/@scope/above'));
  const uses = ['plain', 'shared/sub', 'shared', 'stored', 'broken', '@scope/above/x', 'absent', 'fs', '#inner'];
  expect(
    linkedPackages(
      join(root, 'bot'),
      uses.map((specifier) => ({ importer: 'tools/a/index.ts', specifier })),
    ),
  ).toEqual([join(root, 'workspace/scoped'), join(root, 'workspace/shared')]);
});
