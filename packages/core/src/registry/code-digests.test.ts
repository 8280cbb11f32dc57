import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { codeDigests } from './code-digests.ts';
import { compileGraph } from './compile-graph.ts';
import { writeProject } from './fixtures/write-project.ts';

const entries = ['a.ts', 'b.ts', 'c.ts'];

async function digestsOf(root: string) {
  const { graph } = await compileGraph(root, entries, new AbortController().signal);
  return codeDigests(graph, entries);
}

it('changes with a shared file for those that reach it, and for no others', async () => {
  const root = await writeProject({
    'a.ts': `import './middle.ts'; export default 1;`,
    'b.ts': `export default () => import('./shared.ts');`,
    'c.ts': `export default 1;`,
    'middle.ts': `import './shared.ts'; export {};`,
    'shared.ts': `import './a.ts'; export const value = 1;`,
  });
  const before = await digestsOf(root);
  expect(await digestsOf(root)).toEqual(before);
  expect(new Set(before.values()).size).toBe(3);

  await writeFile(join(root, 'shared.ts'), `import './a.ts'; export const value = 2;`);
  const after = await digestsOf(root);
  expect(after.get('a.ts')).not.toBe(before.get('a.ts'));
  expect(after.get('b.ts')).not.toBe(before.get('b.ts'));
  expect(after.get('c.ts')).toBe(before.get('c.ts'));
});

it('tells two files with one content apart and knows nothing of strangers', async () => {
  const root = await writeProject({ 'a.ts': 'console.log(1);', 'b.ts': 'console.log(1);', 'c.ts': '' });
  const digests = await digestsOf(root);
  expect(digests.get('a.ts')).not.toBe(digests.get('b.ts'));
  const { graph } = await compileGraph(root, entries, new AbortController().signal);
  expect(codeDigests(graph, ['constructor', '__proto__'])).toEqual(new Map());
});
