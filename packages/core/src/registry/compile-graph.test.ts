import { execFileSync } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../contracts/canonical-json.ts';
import { digest } from '../contracts/digest.ts';
import { compileGraph } from './compile-graph.ts';
import { evaluateEntry } from './fixtures/evaluating-host.ts';
import { writeProject } from './fixtures/write-project.ts';

const signal = new AbortController().signal;

/** Packages as far as a look for them goes. */
function installed(...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [`node_modules/${name}/package.json`, '{}']));
}

async function compile(
  files: Readonly<Record<string, string | Uint8Array>>,
  entries: readonly string[] = ['index.ts'],
) {
  const root = await writeProject(files);
  const compiled = await compileGraph({ root, entries, signal });
  return { ...compiled, root, modules: new Map(compiled.graph.modules.map((module) => [module.path, module])) };
}

describe('compileGraph', () => {
  it('compiles what entries reach, and nothing else', async () => {
    const { graph, modules, problems, sound } = await compile(
      {
        'tools/a/index.ts': `import { shared } from '../../shared.js'; export default () => shared + 1;`,
        'tools/b/index.ts': `import { shared } from '../../shared.ts'; import data from './data.json'; export default () => shared + data.two;`,
        'tools/b/data.json': '\ufeff{ "two": 2 }\r\n',
        'shared.ts': 'export const shared: number = 40;\n',
        'unused.ts': 'export const broken: = 1',
      },
      ['tools/a/index.ts', 'tools/b/index.ts'],
    );
    expect(problems).toEqual([]);
    expect([...modules.keys()]).toEqual(['shared.ts', 'tools/a/index.ts', 'tools/b/data.json', 'tools/b/index.ts']);
    expect(modules.get('tools/b/index.ts')?.imports).toEqual({
      '../../shared.ts': 'shared.ts',
      './data.json': 'tools/b/data.json',
    });
    expect(sound).toEqual(new Map([...sound.keys()].map((entry) => [entry, entry])));
    expect((evaluateEntry(graph, 'tools/b/index.ts') as () => number)()).toBe(42);
  });

  it('hashes the code that runs: files that change afterwards change neither', async () => {
    const { graph, root } = await compile({ 'index.ts': 'export default () => "first";' });
    await writeFile(join(root, 'index.ts'), 'export default () => "second";');
    expect((evaluateEntry(graph, 'index.ts') as () => string)()).toBe('first');
    expect(graph.digest).toBe(digest(canonicalJson([graph.root, graph.modules.map((module) => module.digest)])));
    const again = await compileGraph({ root, entries: ['index.ts'], signal });
    expect(again.graph.digest).not.toBe(graph.digest);
    expect(again.graph.modules[0]?.digest).not.toBe(graph.modules[0]?.digest);
  });

  it('tells formats apart', async () => {
    const { modules } = await compile({
      'index.ts': `import './a.cts'; import './b.mjs'; import './c.js'; import './d.json'; export {};`,
      'a.cts': 'export const a = 1;',
      'b.mjs': 'console.log(1);',
      'c.js': 'module.exports = require("./e.cjs");',
      'd.json': '[]',
      'e.cjs': 'exports.e = 1;',
    });
    expect(Object.fromEntries([...modules].map(([path, { format }]) => [path, format]))).toEqual({
      'index.ts': 'esm',
      'a.cts': 'cjs',
      'b.mjs': 'esm',
      'c.js': 'cjs',
      'd.json': 'json',
      'e.cjs': 'cjs',
    });
  });

  it('lists packages that must be there first, and not those imported later', async () => {
    const { modules, packages, problems } = await compile({
      ...installed('both', 'again', 'deeper'),
      'index.ts': `
        import fs from 'node:fs'; import type { Nothing } from 'types-only'; import { both } from 'both';
        export * from 'again'; export const named = require('required');
        export const later = () => import('later'); export const alsoLater = () => import('both');
        export default [fs, both, () => import('./own-later.ts')];`,
      'own-later.ts': `import 'deeper'; export {};`,
    });
    expect(modules.get('index.ts')?.packages).toEqual(['node:fs', 'both', 'again', 'required']);
    expect(modules.get('index.ts')?.imports).toEqual({ './own-later.ts': 'own-later.ts' });
    expect(modules.get('own-later.ts')?.packages).toEqual(['deeper']);
    expect(problems).toEqual([]);
    expect(packages.map(({ importer, specifier }) => `${importer} ${specifier}`)).toEqual([
      'index.ts both',
      'index.ts again',
      'index.ts required',
      'index.ts later',
      'own-later.ts deeper',
    ]);
  });

  it('keeps what import.meta says of a file and warns of what is not there', async () => {
    const { graph, problems } = await compile({
      'index.ts': 'export default [import.meta.filename, import.meta.dirname, import.meta.url];\n',
      'other.ts': '',
    });
    expect(problems).toEqual([]);
    const file = join(graph.root, 'index.ts');
    expect(evaluateEntry(graph, 'index.ts')).toEqual([file, graph.root, `file://${file}`]);

    const warned = await compile({ 'index.ts': 'const a = 1;\n/* 天 */ export default import.meta.resolve("x");' });
    expect(warned.problems).toMatchObject([{ code: 'IMPORT_META', file: 'index.ts:2:24', fatal: false }]);
    expect(warned.sound.has('index.ts')).toBe(true);
  });

  it('maps code to the lines of the author', async () => {
    const { modules } = await compile(
      {
        "tools/天气 it's/index.ts": 'type A = string;\n\nexport default function here(a: A) { throw new Error(a); }\n',
      },
      ["tools/天气 it's/index.ts"],
    );
    const module = modules.get("tools/天气 it's/index.ts");
    const map = new SourceMap(JSON.parse(module?.sourceMap ?? ''));
    const line = (module?.code ?? '').split('\n').findIndex((text) => text.includes('throw'));
    expect(map.findEntry(line, 2)).toMatchObject({ originalSource: module?.path, originalLine: 2 });
  });

  it('follows cycles and links, and knows each file once', async () => {
    const root = await writeProject({
      'tools/a/index.ts': `import '../../b.ts'; import '../../link.ts'; export const a = 1;`,
      'b.ts': `import './tools/a/index.ts'; export {};`,
    });
    await symlink('b.ts', join(root, 'link.ts'));
    await symlink('a', join(root, 'tools/alias'));
    const { graph, problems, sound } = await compileGraph({
      root,
      entries: ['tools/alias/index.ts', 'tools/a/index.ts'],
      signal,
    });
    expect(problems).toEqual([]);
    expect(graph.modules.map((module) => module.path)).toEqual(['b.ts', 'tools/a/index.ts']);
    expect(sound.get('tools/alias/index.ts')).toBe('tools/a/index.ts');
  });

  it('reports every broken file in one go and hides nothing of the others', async () => {
    const { problems, sound, modules } = await compile(
      {
        'a.ts': 'const 天 = 1; export default = 2;',
        'b.ts': 'export default 1;\nconst value = await fetch("x");\n',
        'c.ts': `import './broken-helper.ts'; export default 1;`,
        'd.ts': `import { x } from './halper.ts'; export default x;`,
        'e.ts': `import '../outside.ts'; import './notes.txt'; import './bad.json'; export default 1;`,
        'f.ts': `import './helper.ts'; export default 1;`,
        'g.ts': `import './c.ts'; export default 1;`,
        'broken-helper.ts': 'const one = 1;\nconst one = 2;\n',
        'helper.ts': 'export const x = 1;',
        'notes.txt': '',
        'bad.json': '{\n  "a": }',
        'large.ts': `// ${'x'.repeat(5 * 1024 * 1024)}`,
        'h.ts': `import './large.ts';`,
      },
      ['a.ts', 'b.ts', 'c.ts', 'd.ts', 'e.ts', 'f.ts', 'g.ts', 'h.ts', 'missing.ts'],
    );
    expect(problems.map(({ code, file }) => `${code} ${file}`).sort()).toEqual([
      'FILE_TOO_LARGE large.ts',
      'IMPORT_LEAVES_ROOT e.ts',
      'SYNTAX_ERROR a.ts:1:29',
      'SYNTAX_ERROR bad.json:2:8',
      'SYNTAX_ERROR broken-helper.ts:2:7',
      'TOP_LEVEL_AWAIT b.ts:2:15',
      'UNREADABLE_FILE missing.ts',
      'UNRESOLVED_IMPORT d.ts',
      'UNSUPPORTED_IMPORT e.ts',
    ]);
    const unresolved = problems.find((problem) => problem.code === 'UNRESOLVED_IMPORT');
    expect(unresolved).toMatchObject({ found: '"./halper.ts"', hint: { values: { name: '"./helper.ts"' } } });
    expect(problems.every((problem) => problem.fatal)).toBe(true);
    expect([...sound.keys()]).toEqual(['f.ts']);
    expect(modules.has('helper.ts')).toBe(true);
  });

  it('reads files with byte order marks, CRLF and unusual names', async () => {
    const { problems, graph } = await compile(
      {
        'tools/a/index.ts': `import { v } from "./it's \\"天气\\" 100%.ts"; export default v;`,
        'tools/a/it\'s "天气" 100%.ts': '\ufeffexport const v = 1;\r\n',
      },
      ['tools/a/index.ts'],
    );
    expect(problems).toEqual([]);
    expect(evaluateEntry(graph, 'tools/a/index.ts')).toBe(1);
  });

  it('takes only the configuration that it is given', async () => {
    const { modules } = await compile({
      ...installed('alias'),
      'tsconfig.json':
        '{ "compilerOptions": { "paths": { "alias": ["./target.ts"] }, "target": "ES5", "jsx": "react" } }',
      'package.json': '{ "type": "commonjs", "sideEffects": false }',
      'index.ts': `import 'alias'; export default class { field = 1 }`,
    });
    expect(modules.get('index.ts')?.packages).toEqual(['alias']);
    expect(modules.get('index.ts')?.code).toContain('  field = 1');
  });

  it('reads nothing but regular files, and no source maps', async () => {
    const root = await writeProject({
      'index.ts': `import './sub/a.ts'; export default () => "//# sourceMappingURL=fifo";\n//# sourceMappingURL=fifo`,
      'sub/a.ts': 'import "x-package"; export {};\n/*# sourceMappingURL=/etc/passwd */\n',
      'data.ts': `type A = 1;\nexport const b = 1; //# sourceMappingURL=data:application/json,{"version":3,"sources":["z"],"mappings":"AAAA"}`,
      'broken.ts': 'export default {\n//# sourceMappingURL=/etc/passwd\n',
    });
    execFileSync('mkfifo', [join(root, 'fifo'), join(root, 'sub/package.json'), join(root, 'pipe.ts')]);
    const entries = ['index.ts', 'data.ts', 'broken.ts', 'pipe.ts'];
    const { problems, graph, sound } = await compileGraph({ root, entries, signal });
    expect(problems.map(({ code, file, fatal }) => [code, file, fatal])).toEqual([
      ['UNREADABLE_FILE', 'pipe.ts', true],
      ['SYNTAX_ERROR', 'broken.ts:3:1', true],
      ['INVALID_PACKAGE', 'sub/package.json', true],
    ]);
    expect([...sound.keys()]).toEqual(['data.ts']);
    expect(JSON.parse(graph.modules[0]?.sourceMap ?? '')).toMatchObject({ sources: ['data.ts'] });
    expect(new SourceMap(JSON.parse(graph.modules[0]?.sourceMap ?? '')).findEntry(1e6, 0)).toMatchObject({
      originalLine: 1,
    });
    expect(evaluateEntry({ ...graph, modules: graph.modules.map((one) => ({ ...one, imports: {} })) }, 'data.ts')).toBe(
      undefined,
    );
  });

  it('names a broken package.json once, and only needs it where packages are imported', async () => {
    const files = { 'package.json': '{', 'a.ts': 'import "baigong"; import "node:fs";', 'b.ts': 'export {};' };
    const one = await compile(files, ['a.ts', 'b.ts']);
    expect(one.problems).toMatchObject([{ code: 'INVALID_PACKAGE', file: 'package.json', fatal: false }]);
    expect(one.sound.size).toBe(2);
    const two = await compile({ ...files, 'c.ts': 'import "zod";', 'd.ts': 'import "zod";' }, ['a.ts', 'c.ts', 'd.ts']);
    expect(two.problems).toMatchObject([{ code: 'INVALID_PACKAGE', file: 'package.json', fatal: true }]);
    expect([...two.sound.keys()]).toEqual(['a.ts']);
  });

  it('tells ES modules by the nearest package.json, and the extension first', async () => {
    const { modules } = await compile(
      {
        'package.json': '{ "type": "module" }',
        'old/package.json': '{}',
        'a.js': 'module.exports = 1;',
        'a.mjs': 'export {};',
        'old/a.js': 'module.exports = 1;',
        'old/a.mjs': 'module.exports = 1;',
      },
      ['a.js', 'a.mjs', 'old/a.js', 'old/a.mjs'],
    );
    const formats = Object.fromEntries([...modules].map(([path, { format }]) => [path, format]));
    expect(formats).toEqual({ 'a.js': 'esm', 'a.mjs': 'esm', 'old/a.js': 'cjs', 'old/a.mjs': 'esm' });
  });

  it('takes a star in a name for a star', async () => {
    const { modules, problems } = await compile(
      {
        'tools/*/index.ts': `import '../a*b.ts';`,
        'tools/a*b.ts': '',
        'tools/axxb.ts': 'const a = ;',
        'tools/x/index.ts': '',
      },
      ['tools/*/index.ts'],
    );
    expect(problems).toEqual([]);
    expect([...modules.keys()]).toEqual(['tools/*/index.ts', 'tools/a*b.ts']);
  });

  it('reports names that no module exports, and no others', async () => {
    const { problems, sound } = await compile(
      {
        'good.ts': `
          import { T, E, helper } from './h.ts'; import { z } from './star.ts'; import { q } from './c.cjs';
          import { y } from './d.json'; import { w } from './circle.ts'; import { T as T2 } from './types.ts';
          import * as ns from './h.ts'; import { readFile } from 'node:fs/promises'; export { T } from './h.ts';
          export type Both = T | T2; export default [E, helper, z, q, y, w, ns.nope, readFile];
          export const later = () => import('./h.ts').then(({ foo }) => foo), text = 'import_h.bar';`,
        'bad.ts': `import { helpr } from './h.ts';\nimport fallback, { unlike } from './h.ts';\nexport default [helpr, fallback, unlike];`,
        'h.ts': 'export const helper = 1; export type T = 1; export enum E { A }',
        'star.ts': `export * from 'node:fs'; export * from './h.ts';`,
        'circle.ts': `export * from './circle-2.ts';`,
        'circle-2.ts': `export const w = 1; export * from './circle.ts';`,
        'c.cjs': 'exports.q = 1',
        'd.json': '{ "y": 1 }',
        'types.ts': `import { T } from './h.ts'; export { T };`,
      },
      ['good.ts', 'bad.ts'],
    );
    expect(problems.map(({ code, file, found, expected }) => [code, file, found, expected])).toEqual([
      ['UNKNOWN_EXPORT', 'bad.ts:1:10', '"helpr"', '"helper"'],
      ['UNKNOWN_EXPORT', 'bad.ts:2:8', '"default"', undefined],
      ['UNKNOWN_EXPORT', 'bad.ts:2:20', '"unlike"', undefined],
    ]);
    expect([...sound.keys()]).toEqual(['good.ts']);
  });

  it('bounds what the compiler says', async () => {
    const name = 'x'.repeat(1_000_000);
    const { problems } = await compile({ 'index.ts': `let ${name}; let ${name};` });
    expect(problems).toMatchObject([{ code: 'SYNTAX_ERROR' }]);
    expect(JSON.stringify(problems).length).toBeLessThan(2000);
  });

  it('names packages that are installed nowhere above their importer', async () => {
    const { problems, sound } = await compile(
      {
        ...installed('root-package', '@scope/whole'),
        'package.json': '{ "name": "self", "exports": "./a.ts", "imports": { "#inner": "./c.ts" } }',
        'a.ts': `
          import 'root-package/not/looked/at.js'; import '@scope/whole'; import '@scope/part/sub'; import 'zod/mini';
          import 'node:fs'; import 'fs/promises'; import '#inner'; import 'self'; import 'baigong'; import 'data:text/javascript,1';
          import type { Nothing } from 'only-types'; import 'sub-package';
          export const later = () => import('not-yet'); try { require('perhaps'); } catch {}
          export default [require('when-run')];`,
        'b.ts': `import './sub/deep/b.ts'; export * from 'zodd'; export default 1;`,
        'sub/deep/b.ts': `import x from 'sub-package'; export default x;`,
        'sub/node_modules/sub-package/index.js': '',
        'c.ts': 'export default 1;',
        'd.cjs': `var never = require('never');`,
      },
      ['a.ts', 'b.ts', 'c.ts', 'd.cjs'],
    );
    expect(problems.map(({ code, file, found, expected }) => [code, file, found, expected])).toEqual([
      ['MISSING_PACKAGE', 'a.ts', '"@scope/part/sub"', 'node_modules/@scope/part'],
      ['MISSING_PACKAGE', 'a.ts', '"sub-package"', 'node_modules/sub-package'],
      ['MISSING_PACKAGE', 'b.ts', '"zodd"', '"zod"'],
    ]);
    expect(problems.every(({ fatal }) => fatal)).toBe(true);
    expect([...sound.keys()]).toEqual(['c.ts', 'd.cjs']);
  });

  it('looks for a package by that name although the own one has it, when it exports nothing', async () => {
    const { problems } = await compile({ 'package.json': '{ "name": "self" }', 'index.ts': `import 'self';` });
    expect(problems).toMatchObject([{ code: 'MISSING_PACKAGE' }]);
  });

  it('warns of imports that tie plugins together, through links too', async () => {
    const root = await writeProject({
      'tools/a/index.ts': `import '../../plugins/maps/inner.ts'; import '../../src/inner.ts'; export {};`,
      'plugins/maps/tools/b/index.ts': `import '../../inner.ts'; import '../../../../shared.ts'; export {};`,
      'plugins/maps/inner.ts': '',
      'src/inner.ts': '',
      'shared.ts': '',
    });
    await symlink('plugins/maps', join(root, 'alias'));
    const { problems, sound } = await compileGraph({
      root,
      entries: ['tools/a/index.ts', 'plugins/maps/tools/b/index.ts'],
      signal,
      pluginFolders: ['', join(root, 'alias')],
    });
    expect(problems.map(({ code, file, found, fatal }) => [code, file, found, fatal])).toEqual([
      ['IMPORT_LEAVES_PLUGIN', 'tools/a/index.ts', '"../../plugins/maps/inner.ts"', false],
      ['IMPORT_CLIMBS_INTO_SRC', 'tools/a/index.ts', '"../../src/inner.ts"', false],
      ['IMPORT_LEAVES_PLUGIN', 'plugins/maps/tools/b/index.ts', '"../../../../shared.ts"', false],
    ]);
    expect(sound.size).toBe(2);
  });

  it('lists every file that it read or looked for', async () => {
    const { root, files } = await compile(
      {
        'a/index.ts': `import './client'; import './missing'; import 'nowhere'; export {};`,
        'a/client.js': '',
      },
      ['a/index.ts', 'b.ts'],
    );
    const wanted = [
      'a/index.ts',
      'a/client.js',
      'a/client.ts',
      'a/missing.ts',
      'a/package.json',
      'package.json',
      'b.ts',
      'node_modules/nowhere',
    ];
    expect(wanted.filter((path) => !files.includes(join(root, path)))).toEqual([]);
  });

  it('stops when it is told to', async () => {
    const root = await writeProject({ 'index.ts': '' });
    await expect(
      compileGraph({ root, entries: ['index.ts'], signal: AbortSignal.abort(new Error('stopped')) }),
    ).rejects.toThrow('stopped');
  });
});
