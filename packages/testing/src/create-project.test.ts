import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createProject } from './create-project.ts';

it('writes files with their folders, and leaves nothing behind', async () => {
  const project = await createProject({ 'tools/问候/index.ts': 'export default 1;' });
  await project.write({ 'notes.md': '你好' });
  expect(await readFile(join(project.root, 'tools/问候/index.ts'), 'utf8')).toBe('export default 1;');
  expect(await readFile(join(project.root, 'notes.md'), 'utf8')).toBe('你好');
  await project.remove();
  expect(existsSync(project.root)).toBe(false);
});

it('leaves nothing behind when a file cannot be written', async () => {
  await expect(createProject({ a: 'a file', 'a/b': 'cannot be below it' })).rejects.toThrow();
});
