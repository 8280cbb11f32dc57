import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ModuleGraph, SourceModule } from '../contracts/module-graph.ts';
import { codeDigests } from './code-digests.ts';
import { compileGraph } from './compile-graph.ts';
import { writeProject } from './fixtures/write-project.ts';

const entries = ['a.ts', 'b.ts', 'c.ts'];

async function digestsOf(root: string) {
  const { graph } = await compileGraph({ root, entries, signal: new AbortController().signal });
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
  const { graph } = await compileGraph({ root, entries, signal: new AbortController().signal });
  expect(codeDigests(graph, ['constructor', '__proto__'])).toEqual(new Map());
});

it('agrees with walking from each module, whatever the imports', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.nat(9), { maxLength: 3 }), { minLength: 1, maxLength: 10 }),
      fc.nat(),
      (lists, at) => {
        const graphOf = (changed: number | undefined): ModuleGraph => ({
          digest: 'sha256:whole',
          root: '/srv/bot',
          modules: lists.map((targets, index) => ({
            path: `${index}.ts`,
            digest: `sha256:${index === changed ? 'changed' : index}`,
            format: 'esm',
            code: '',
            imports: Object.fromEntries(
              targets.map((target) => [`./${target % lists.length}`, `${target % lists.length}.ts`]),
            ),
            packages: [],
          })),
        });
        const paths = lists.map((_, index) => `${index}.ts`);
        const changed = at % lists.length;
        const before = codeDigests(graphOf(undefined), paths);
        const after = codeDigests(graphOf(changed), paths);
        expect(new Set(before.values()).size).toBe(lists.length);
        for (const [index, path] of paths.entries()) {
          const reached = new Set([index]);
          for (const one of reached) for (const target of lists[one] ?? []) reached.add(target % lists.length);
          expect([path, after.get(path) !== before.get(path)]).toEqual([path, reached.has(changed)]);
        }
      },
    ),
  );
});

it('follows long chains of imports', () => {
  const modules = Array.from({ length: 20_000 }, (_, index): SourceModule => {
    const imports: Record<string, string> = index === 19_999 ? {} : { next: `${index + 1}.ts` };
    return { path: `${index}.ts`, digest: `sha256:${index}`, format: 'esm', code: '', imports, packages: [] };
  });
  expect(codeDigests({ digest: 'sha256:whole', root: '/srv/bot', modules }, ['0.ts']).size).toBe(1);
});
