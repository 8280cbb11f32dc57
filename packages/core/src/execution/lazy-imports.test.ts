import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import type { SourceModule } from '../contracts/module-graph.ts';
import { lazyImports } from './lazy-imports.ts';

/** Compiles as the registry does. `.mts` and files of `type: module` packages get Node's mode, others do not. */
async function compile(code: string, extension: 'ts' | 'mts'): Promise<SourceModule> {
  const { outputFiles } = await build({
    stdin: { contents: code, loader: 'ts', sourcefile: `entry.${extension}` },
    bundle: false,
    write: false,
    format: 'cjs',
    supported: { 'dynamic-import': false },
  });
  const imports = { './a.ts': 'a.ts', './b.ts': 'b.ts' };
  return {
    path: 'entry.ts',
    digest: 'sha256:0',
    format: 'esm',
    code: outputFiles[0]?.text ?? '',
    imports,
    packages: [],
  };
}

describe.each(['ts', 'mts'] as const)('lazyImports of a .%s file', (extension) => {
  it.each([
    ["export const f = () => import('./a.ts');", ['./a.ts']],
    ["export const f = async () => (await import('./a.ts')).default + (await import('./a.ts')).b;", ['./a.ts']],
    ["import './b.ts'; export const f = () => import('./a.ts');", ['./a.ts']],
    ["import { a } from './a.ts'; export const f = () => import('./a.ts').then(() => a);", []],
    ["import a from './a.ts'; export const f = () => a;", []],
    ["export * from './a.ts'; export { b } from './b.ts';", []],
  ])('%s', async (code, lazy) => {
    expect([...lazyImports(await compile(code, extension))]).toEqual(lazy);
  });
});
