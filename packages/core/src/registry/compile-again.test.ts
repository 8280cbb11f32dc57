import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { codeDigests } from './code-digests.ts';
import { type CompiledGraph, compileGraph } from './compile-graph.ts';
import { writeProject } from './fixtures/write-project.ts';
import { openTransformCache } from './transform-cache.ts';

const signal = new AbortController().signal;

/** Everything that a reload looks at. */
function told({ graph, problems, sound, packages, files }: CompiledGraph) {
  return { graph, problems, sound: [...sound], packages, files, digests: codeDigests(graph, sound.values()) };
}

function moduleOf(compiled: CompiledGraph, path: string) {
  return compiled.graph.modules.find((module) => module.path === path);
}

/** From now on what was saved so far counts as long at rest. */
function rest() {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 });
}

afterEach(() => {
  vi.useRealTimers();
});

describe('compileGraph after an earlier compilation', () => {
  it('hands on the very same modules but for those that changed, and only those', async () => {
    const entries = ['a.ts', 'b.ts'];
    const root = await writeProject({
      'a.ts': `import { shared } from './shared.ts'; import data from './data.json'; export default [shared, data];`,
      'b.ts': 'export default 1;',
      'shared.ts': 'export const shared = 1;',
      'data.json': '[]',
    });
    const first = await compileGraph({ root, entries, signal });
    rest();
    const second = await compileGraph({ root, entries, signal, previous: first });
    expect(second.memory.files.get('a.ts')?.settled).toBe(true);
    expect(second.graph.modules.every((module, index) => module === first.graph.modules[index])).toBe(true);
    await writeFile(join(root, 'shared.ts'), 'export const shared = 2;');
    const third = await compileGraph({ root, entries, signal, previous: second });
    for (const path of ['a.ts', 'b.ts', 'data.json']) expect(moduleOf(third, path)).toBe(moduleOf(first, path));
    expect(moduleOf(third, 'shared.ts')?.digest).not.toBe(moduleOf(first, 'shared.ts')?.digest);
    expect(third.graph.digest).not.toBe(first.graph.digest);
  });

  it('neither reads nor compiles a file that is at rest, and reads one again that was saved a moment ago', async () => {
    const root = await writeProject({ 'index.ts': 'export default 1;' });
    const first = await compileGraph({ root, entries: ['index.ts'], signal });
    const [remembered] = first.memory.files.values();
    expect(remembered?.settled).toBe(false);
    // As if the file had been saved again within one tick of the clock: same stamp, other text.
    const altered = (settled: boolean): CompiledGraph => {
      const files = [...first.memory.files].map(([path, file]) => {
        const source = { ...file.source, text: 'export default 0;' };
        return [path, { ...file, settled, source }] as const;
      });
      return { ...first, memory: { ...first.memory, files: new Map(files) } };
    };
    const reread = await compileGraph({ root, entries: ['index.ts'], signal, previous: altered(false) });
    expect(moduleOf(reread, 'index.ts')).not.toBe(moduleOf(first, 'index.ts'));
    const trusted = await compileGraph({ root, entries: ['index.ts'], signal, previous: altered(true) });
    expect(moduleOf(trusted, 'index.ts')).toBe(moduleOf(first, 'index.ts'));
  });

  it('keeps no chain of earlier results', async () => {
    const root = await writeProject({ 'index.ts': 'export default 1;' });
    const first = await compileGraph({ root, entries: ['index.ts'], signal });
    const second = await compileGraph({ root, entries: ['index.ts'], signal, previous: first });
    const reached = new Set<unknown>([second]);
    for (const one of reached) {
      if (one instanceof Map) for (const inner of one.values()) reached.add(inner);
      if (one !== null && typeof one === 'object') for (const inner of Object.values(one)) reached.add(inner);
    }
    expect(reached.has(first) || reached.has(first.memory)).toBe(false);
  });

  it.each<[string, Record<string, string>, (root: string) => Promise<unknown>]>([
    [
      'a file that an import now prefers',
      { 'index.ts': `import { x } from './client'; export default x;`, 'client.js': 'export const x = 1;' },
      (root) => writeFile(join(root, 'client.ts'), 'export const x = 2;'),
    ],
    [
      'a file that was missing',
      { 'index.ts': `import { x } from './client.ts'; export default x;` },
      (root) => writeFile(join(root, 'client.ts'), 'export const x = 2;'),
    ],
    [
      'the kind of a package',
      {
        'index.ts': `import x from './client.js'; export default x;`,
        'client.js': 'globalThis.x',
        'package.json': '{}',
      },
      (root) => writeFile(join(root, 'package.json'), '{ "type": "module" }'),
    ],
    [
      'a package.json that appears',
      { 'index.ts': `import x from './lib/a.js'; export default x;`, 'lib/a.js': 'module.exports = 1;' },
      (root) => writeFile(join(root, 'lib/package.json'), '{ "type": "module" }'),
    ],
    [
      'a package that is installed',
      { 'index.ts': `import x from 'late'; export default x;` },
      (root) => mkdir(join(root, 'node_modules/late'), { recursive: true }),
    ],
    [
      'a link that leads elsewhere',
      {
        'index.ts': `import x from './link/a.ts'; export default x;`,
        'one/a.ts': 'export default 1;',
        'two/a.ts': 'export default 1;',
      },
      async (root) => {
        await rm(join(root, 'link'));
        await symlink('two', join(root, 'link'));
      },
    ],
    [
      'an export that is gone in what is handed through',
      {
        'index.ts': `import { x } from './through.ts'; export default x;`,
        'through.ts': `export * from './end.ts';`,
        'end.ts': 'export const x = 1;',
      },
      (root) => writeFile(join(root, 'end.ts'), 'export const y = 1;'),
    ],
    [
      'an export of a file that was broken',
      { 'index.ts': `import { x } from './end.ts'; export default x;`, 'end.ts': 'export const = 1;' },
      (root) => writeFile(join(root, 'end.ts'), 'export const y = 1;'),
    ],
  ])('notices %s', async (_, files, change) => {
    const root = await writeProject(files);
    if (files['one/a.ts'] !== undefined) await symlink('one', join(root, 'link'));
    rest();
    const first = await compileGraph({ root, entries: ['index.ts'], signal });
    await change(root);
    const again = await compileGraph({ root, entries: ['index.ts'], signal, previous: first });
    const fresh = await compileGraph({ root, entries: ['index.ts'], signal });
    expect(told(again)).toEqual(told(fresh));
    expect(told(again)).not.toEqual(told(first));
  });

  it('looks only at the exports that changed modules concern', async () => {
    const root = await writeProject({
      'a.ts': `import { nope } from './lib.ts'; export default nope;`,
      'b.ts': `import { other } from './other.ts'; export default other;`,
      'lib.ts': 'export const yes = 1;',
      'other.ts': 'export const other = 1;',
    });
    const entries = ['a.ts', 'b.ts'];
    const first = await compileGraph({ root, entries, signal });
    await writeFile(join(root, 'other.ts'), 'export const changed = 1;');
    const second = await compileGraph({ root, entries, signal, previous: first });
    expect(second.problems.map(({ file, code }) => `${file} ${code}`)).toEqual([
      'a.ts:1:10 UNKNOWN_EXPORT',
      'b.ts:1:10 UNKNOWN_EXPORT',
    ]);
    expect(second.memory.exportChecks.get('a.ts')).toBe(first.memory.exportChecks.get('a.ts'));
    expect(second.memory.exportChecks.get('b.ts')).not.toBe(first.memory.exportChecks.get('b.ts'));
  });

  it('does not take over what is known of another folder', async () => {
    const one = await writeProject({ 'index.ts': 'export default 1;' });
    const two = await writeProject({ 'index.ts': 'export default 2;' });
    const previous = await compileGraph({ root: one, entries: ['index.ts'], signal });
    const compiled = await compileGraph({ root: two, entries: ['index.ts'], signal, previous });
    expect(moduleOf(compiled, 'index.ts')?.code).toContain('= 2');
  });

  it('tells the cache what is in use although nothing had to be asked', async () => {
    const root = await writeProject({ 'index.ts': `import './quiet.ts'; export default 1;`, 'quiet.ts': 'export {};' });
    const folder = join(root, '.baigong/cache');
    const cache = openTransformCache(folder);
    let previous: CompiledGraph | undefined;
    for (let round = 0; round < 40; round++) {
      await writeFile(join(root, 'index.ts'), `import './quiet.ts'; export default ${round};`);
      previous = await compileGraph({ root, entries: ['index.ts'], signal, cache, previous });
      await cache.save();
    }
    const source = previous?.memory.files.get('quiet.ts')?.source;
    expect(source).toBeDefined();
    if (source !== undefined) expect(await openTransformCache(folder).find(source)).toBeDefined();
  });

  it('gives the same from the cache, warnings included', async () => {
    const root = await writeProject({
      'index.ts': `import './b.ts'; export default import.meta.resolve('x');`,
      'b.ts': `export const later = () => import('./c.ts');`,
      'c.ts': 'export {};',
    });
    const cache = openTransformCache(join(root, '.baigong/cache'));
    const entries = ['index.ts'];
    const first = await compileGraph({ root, entries, signal, cache });
    await cache.save();
    const second = await compileGraph({
      root,
      entries,
      signal,
      cache: openTransformCache(join(root, '.baigong/cache')),
    });
    expect(told(second)).toEqual(told(first));
    expect(second.problems).toMatchObject([{ code: 'IMPORT_META' }]);
  });
});

const paths = ['a.ts', 'b.js', 'lib/c.ts', 'lib/d.js', 'lib/d.ts', 'data.json', 'lib/index.ts', 'package.json'];
const contents: Readonly<Record<string, readonly string[]>> = {
  '.ts': [
    'export default 1; export const x = 1;',
    `import { x } from './lib/c'; export default x;`,
    `import { x } from './d'; export { x }; export default import.meta.env;`,
    `export * from './d.js'; export * from './c.ts';`,
    `import { x, y } from '../a.ts'; import 'absent'; export default [x, y];`,
    `import { type Q, y } from './lib/'; import data from './data.json'; export default [y, data];`,
    'export const = broken',
    'await 1; export {};',
  ],
  '.js': [
    'export const x = 1;',
    'module.exports = { y: 1 };',
    `import { x } from './c.ts'; export const y = x;`,
    `require('./lib/d'); require('../b.js');`,
    'console.log(1);',
    '}',
  ],
  '.json': ['{ "type": "module" }', '{}', '{ "a": ', '[1]', '{ "name": "absent", "exports": "./a.ts" }'],
};

type Edit =
  | { readonly kind: 'write'; readonly path: string; readonly choice: number }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'rename'; readonly path: string; readonly to: string }
  | { readonly kind: 'rest' };

const path = fc.constantFrom(...paths);
const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('write' as const), path, choice: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), path }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rename' as const), path, to: path }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'rest' as const }) },
);

async function apply(root: string, one: Edit): Promise<void> {
  switch (one.kind) {
    case 'write': {
      const choices = contents[/\.\w+$/.exec(one.path)?.[0] ?? ''] ?? [];
      await mkdir(dirname(join(root, one.path)), { recursive: true });
      const choice = one.choice % choices.length;
      // No two of one length: the clock runs ahead here, so two saves within one tick would go unnoticed.
      const content = (choices[choice] ?? '').padEnd(100 + choice);
      await writeFile(join(root, one.path), content);
      break;
    }
    case 'delete':
      await rm(join(root, one.path), { force: true });
      break;
    case 'rename':
      await rename(join(root, one.path), join(root, one.to)).catch(() => {});
      break;
    case 'rest':
      rest();
      break;
  }
}

it('gives step by step what a compilation without memory and cache gives, whatever is edited', async () => {
  const entries = ['a.ts', 'b.js', 'lib/c.ts'];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(edit, { minLength: 1, maxLength: 4 }), { maxLength: 6 }), async (steps) => {
      const root = await mkdtemp(join(tmpdir(), 'baigong-'));
      try {
        for (const each of paths) await apply(root, { kind: 'write', path: each, choice: 0 });
        const cache = openTransformCache(join(root, '.cache'));
        let previous: CompiledGraph | undefined;
        for (const edits of [[], ...steps]) {
          for (const one of edits) await apply(root, one);
          const fresh = await compileGraph({ root, entries, signal });
          previous = await compileGraph({ root, entries, signal, cache, previous });
          await cache.save();
          expect(told(previous)).toEqual(told(fresh));
        }
      } finally {
        await rm(root, { recursive: true, force: true });
      }
    }),
    { numRuns: 40 },
  );
});
