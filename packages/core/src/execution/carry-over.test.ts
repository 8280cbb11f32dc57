import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModuleGraph } from '../contracts/module-graph.ts';
import { compileGraph } from './fixtures/compile-graph.ts';
import { createGraphCode, type GraphCode } from './graph-code.ts';

let root: string;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'baigong-')));
});
afterAll(() => rm(root, { recursive: true, force: true }));

interface Exports {
  readonly default: Record<string, () => unknown>;
}

const files = {
  'counter.ts': 'let n = 0; export const count = () => (n += 1); export default { count };',
  'shared.ts': 'export const shared = { version: 1 };',
  'uses-shared.ts':
    'import { shared } from "./shared.ts"; let n = 0; export default { count: () => (n += 1), shared: () => shared };',
  'via.ts': 'import inner from "./uses-shared.ts"; export default { inner: () => inner };',
  'lazy.ts': 'let n = 0; export default { count: () => (n += 1), part: () => import("./part.ts") };',
  'part.ts': 'export default "part 1";',
  'throws.ts': 'globalThis.evaluations = (globalThis.evaluations ?? 0) + 1; throw new Error("at line " + 1);',
  'a.ts': 'import { b } from "./b.ts"; export const a = () => b; export default { self: () => a };',
  'b.ts': 'import { a } from "./a.ts"; export const b = () => a; export default {};',
};

async function generations(...changes: readonly Readonly<Record<string, string>>[]): Promise<GraphCode[]> {
  const folder = await mkdtemp(join(root, 'case-'));
  const all: GraphCode[] = [];
  for (const change of [{}, ...changes]) {
    const graph: ModuleGraph = await compileGraph(folder, { ...files, ...change });
    all.push(createGraphCode(graph, all.at(-1)));
    for (const entry of Object.keys(files)) await load(all.at(-1), entry).catch(() => {});
  }
  return all;
}

async function load(code: GraphCode | undefined, entry: string): Promise<Exports> {
  return (await code?.evaluator.load(entry)) as Exports;
}

async function same(all: readonly GraphCode[], entry: string): Promise<boolean> {
  return (await load(all[0], entry)) === (await load(all[1], entry));
}

describe('a new generation of code', () => {
  it('evaluates what changed and those that import it, nothing else', async () => {
    const all = await generations({ 'shared.ts': 'export const shared = { version: 2 };' });
    expect(await same(all, 'counter.ts')).toBe(true);
    expect(await same(all, 'uses-shared.ts')).toBe(false);
    expect(await same(all, 'via.ts')).toBe(false);
    expect(await same(all, 'a.ts')).toBe(true);
    const counter = await load(all[0], 'counter.ts');
    expect(counter.default.count?.()).toBe(1);
    expect((await load(all[1], 'counter.ts')).default.count?.()).toBe(2);
    const old = await load(all[0], 'uses-shared.ts');
    expect(old.default.shared?.()).toEqual({ version: 1 });
    expect((await load(all[1], 'uses-shared.ts')).default.shared?.()).toEqual({ version: 2 });
  });

  it('takes a cycle over as a whole or not at all', async () => {
    const all = await generations({
      'b.ts': 'import { a } from "./a.ts"; export const b = () => [a]; export default {};',
    });
    expect(await same(all, 'a.ts')).toBe(false);
    expect(await same(all, 'b.ts')).toBe(false);
  });

  it('evaluates anew what imports a changed file lazily, and what failed', async () => {
    Reflect.deleteProperty(globalThis, 'evaluations');
    const all = await generations({ 'part.ts': 'export default "part 2";' });
    expect(await same(all, 'lazy.ts')).toBe(false);
    const part = (await (await load(all[1], 'lazy.ts')).default.part?.()) as { default: string };
    expect(part.default).toBe('part 2');
    expect((globalThis as { evaluations?: number }).evaluations).toBe(2);
  });

  it('still maps stacks of what it took over', async () => {
    const all = await generations({ 'shared.ts': 'export const shared = 3;' });
    const error = await load(all[1], 'throws.ts').catch((thrown: unknown) => thrown);
    expect(all[1]?.reading.stacks.positionOf(error)).toMatchObject({ path: 'throws.ts', line: 1 });
  });

  it('keeps nothing of the evaluators before it', async () => {
    const folder = await mkdtemp(join(root, 'case-'));
    let code: GraphCode | undefined;
    const gone: WeakRef<object>[] = [];
    for (let version = 0; version < 20; version += 1) {
      const graph = await compileGraph(folder, { ...files, 'shared.ts': `export const shared = ${version};` });
      code = createGraphCode(graph, code);
      await load(code, 'via.ts');
      await load(code, 'lazy.ts');
      gone.push(new WeakRef(code.evaluator.records));
    }
    setFlagsFromString('--expose-gc');
    const gc = runInNewContext('gc') as () => void;
    for (let round = 0; round < 5; round += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      gc();
    }
    expect(gone.slice(0, -1).filter((ref) => ref.deref() !== undefined)).toEqual([]);
    expect(gone.at(-1)?.deref()).toBe(code?.evaluator.records);
  });
});
