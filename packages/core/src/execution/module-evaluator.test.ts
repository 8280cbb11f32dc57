import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as authoring from '../authoring/index.ts';
import { compileGraph, writeFiles } from './fixtures/compile-graph.ts';
import { createModuleEvaluator } from './module-evaluator.ts';
import { ModuleSyntaxError } from './module-syntax-error.ts';
import { PackageLoadError } from './package-load-error.ts';
import { providedModules } from './provided-modules.ts';

let root: string;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'baigong-')));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** A fresh folder, its files compiled, and an evaluator for them. */
async function evaluatorFor(files: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(root, 'case-'));
  const graph = await compileGraph(folder, files);
  return { folder, evaluator: createModuleEvaluator(graph, providedModules()) };
}

async function defaultOf(files: Readonly<Record<string, string>>, entry = 'entry.ts'): Promise<unknown> {
  const { evaluator } = await evaluatorFor(files);
  return ((await evaluator.load(entry)) as { default: unknown }).default;
}

const packages = {
  'node_modules/esm-only/package.json': '{"name":"esm-only","type":"module","exports":{"import":"./index.js"}}',
  'node_modules/esm-only/index.js': 'export default { kind: "esm" }; export const named = "esm named";',
  'node_modules/awaiting/package.json': '{"name":"awaiting","type":"module","exports":"./index.js"}',
  'node_modules/awaiting/index.js': 'export const value = await Promise.resolve("awaited");',
  'node_modules/common/package.json': '{"name":"common","main":"index.js"}',
  'node_modules/common/index.js':
    'module.exports = function common() { return "called"; }; module.exports.named = "cjs named";',
  'node_modules/babel/package.json': '{"name":"babel","main":"index.js"}',
  'node_modules/babel/index.js':
    'Object.defineProperty(exports, "__esModule", { value: true }); exports.default = { kind: "babel" }; exports.named = "babel named";',
  'node_modules/dual/package.json': '{"name":"dual","exports":{"import":"./index.mjs","require":"./index.cjs"}}',
  'node_modules/dual/index.mjs': 'export default "dual esm"; export const form = "esm";',
  'node_modules/dual/index.cjs': 'module.exports = { form: "cjs", default: "dual cjs" };',
  'node_modules/@scope/data/package.json': '{"name":"@scope/data"}',
  'node_modules/@scope/data/list.json': '[1,2,3]',
};

/** Each prints what an author sees of a kind of package or file. */
const imports: [string, Readonly<Record<string, string>>, string][] = [
  [
    'an ES module',
    {},
    'import a, { named } from "esm-only"; import * as ns from "esm-only"; export default [a, named, Object.keys(ns), ns.default === a];',
  ],
  ['an ES module with top-level await', {}, 'import { value } from "awaiting"; export default value;'],
  [
    'CommonJS',
    {},
    'import a, { named } from "common"; import * as ns from "common"; export default [typeof a, a(), named, typeof ns.default, Object.keys(ns)];',
  ],
  [
    'CommonJS made by Babel',
    {},
    'import a, { named } from "babel"; import * as ns from "babel"; export default [a, named, a.default, Object.keys(ns)];',
  ],
  ['a dual package', {}, 'import a, { form } from "dual"; export default [a, form];'],
  ['JSON of a package', {}, 'import list from "@scope/data/list.json" with { type: "json" }; export default list;'],
  [
    'JSON of the project',
    { 'data.json': '{"a":[1]}' },
    'import data from "./data.json" with { type: "json" }; import * as ns from "./data.json" with { type: "json" }; export default [data, ns];',
  ],
  [
    'a CommonJS file of the project',
    { 'old.cjs': 'exports.one = 1; exports.two = require("common").named;' },
    'import old, { one } from "./old.cjs"; import * as ns from "./old.cjs"; export default [old, one, ns.two];',
  ],
  [
    'a CommonJS file that exports a function',
    { 'old.cjs': 'module.exports = () => 7;' },
    'import old from "./old.cjs"; export default old();',
  ],
  [
    'a CommonJS file made by Babel',
    { 'old.cjs': 'Object.defineProperty(exports, "__esModule", { value: true }); exports.default = "inner";' },
    'import old from "./old.cjs"; export default [old.default, old.__esModule];',
  ],
  [
    'builtins',
    {},
    'import fs, { readFileSync } from "node:fs"; import path from "path"; import * as os from "node:os"; export default [fs.readFileSync === readFileSync, path.basename("/a/b"), typeof os.default.cpus];',
  ],
  [
    'import()',
    { 'part.ts': 'export default "part"; export const named = "n";' },
    'const a = await_(import("esm-only")); const b = await_(import("common")); const c = await_(import("node:fs")); const d = await_(import("./part.ts")); function await_(p: Promise<object>) { return p; } export default Promise.all([a, b, c, d]).then((all) => all.map((one) => [typeof one.default, typeof one.named]));',
  ],
  [
    'a computed import()',
    { 'part.ts': 'export default "part";' },
    'const name = ["part"].join(""); export default Promise.all([import("./" + name + ".ts"), import(["dual"][0]!)]).then((all) => all.map((one) => one.default));',
  ],
  [
    're-exports',
    {
      'hub.ts':
        'export * from "esm-only"; export * from "./leaf.ts"; export { default as common } from "common"; export * as leaf from "./leaf.ts";',
      'leaf.ts': 'export const leafValue = 1; export default "not re-exported";',
    },
    'import * as hub from "./hub.ts"; export default [Object.keys(hub).sort(), hub.named, hub.leafValue, hub.common(), hub.leaf.default];',
  ],
  ['import.meta', {}, 'export default [import.meta.url, import.meta.filename, import.meta.dirname];'],
  [
    'strict mode',
    {},
    'export default [(function (this: unknown) { return this === undefined; })(), (() => { try { (undeclared as unknown) = 1; return "sloppy"; } catch (error) { return (error as Error).name; } })()]; declare let undeclared: unknown;',
  ],
  ['what ES modules do not have', {}, 'export default [typeof __filename, typeof __dirname];'],
  [
    'createRequire',
    {},
    'import { createRequire } from "node:module"; const require = createRequire(import.meta.url); export default [require("dual").form, require("common")()];',
  ],
  [
    'live bindings of a cycle',
    {
      'a.ts': 'import { b } from "./b.ts"; export let count = 0; export function bump() { count += 1; return b(); }',
      'b.ts': 'import { count } from "./a.ts"; export const b = () => count;',
    },
    'import { bump } from "./a.ts"; export default [bump(), bump()];',
  ],
  [
    'names of helpers used by the author',
    {},
    'const __toESM = "mine"; const exports = 1; import common from "common"; export default [__toESM, exports, common()];',
  ],
  ['text that looks like a helper', {}, 'export default `\nvar __toESM = (mod, isNodeMode, target) => 1`;'],
];

describe('what an author imports is what `node entry.ts` imports:', () => {
  let ours: unknown[];
  let node: unknown[];

  beforeAll(async () => {
    const folder = await mkdtemp(join(root, 'packages-'));
    await writeFiles(folder, { ...packages, 'package.json': '{"type":"module"}' });
    const places = await Promise.all(
      imports.map(async ([, files, entry], index) => {
        const place = join(folder, `case-${index}`);
        const graph = await compileGraph(place, { ...files, 'entry.ts': entry });
        await writeFile(join(place, 'graph.json'), JSON.stringify(graph));
        return place;
      }),
    );
    // Both in processes of their own: this one resolves packages in a way of its own.
    ours = await print(join(import.meta.dirname, 'fixtures/print-default.ts'), places);
    node = await print(join(import.meta.dirname, 'fixtures/print-default-of-node.ts'), places);
  });

  it.each(imports.map(([name], index) => [name, index] as const))('%s', (_name, index) => {
    expect(node[index]).toBeDefined();
    expect(ours[index]).toEqual(node[index]);
  });
});

async function print(script: string, places: readonly string[]): Promise<unknown[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--conditions=baigong-source',
    '--disable-warning=ExperimentalWarning',
    script,
    ...places,
  ]);
  return JSON.parse(stdout) as unknown[];
}

describe('createModuleEvaluator', () => {
  it('evaluates each module once, dependencies first', async () => {
    const { evaluator } = await evaluatorFor({
      'log.ts': 'export const log: string[] = [];',
      'shared.ts': 'import { log } from "./log.ts"; log.push("shared"); export default {};',
      'a.ts':
        'import { log } from "./log.ts"; import shared from "./shared.ts"; log.push("a"); export { log, shared };',
      'b.ts':
        'import { log } from "./log.ts"; import shared from "./shared.ts"; log.push("b"); export { log, shared };',
    });
    const a = (await evaluator.load('a.ts')) as { log: string[]; shared: object };
    const b = (await evaluator.load('b.ts')) as { log: string[]; shared: object };
    await evaluator.load('a.ts');
    expect(a.log).toEqual(['shared', 'a', 'b']);
    expect(b.shared).toBe(a.shared);
  });

  it('shares no module between evaluators', async () => {
    const { folder, evaluator } = await evaluatorFor({ 'entry.ts': 'export default {};' });
    const other = createModuleEvaluator(await compileGraph(folder, { 'entry.ts': 'export default {};' }), new Map());
    expect(((await evaluator.load('entry.ts')) as { default: object }).default).not.toBe(
      ((await other.load('entry.ts')) as { default: object }).default,
    );
  });

  it('gives the running copy of this package, whatever its name', async () => {
    const value = await defaultOf({
      'entry.ts':
        'import { defineAgentTool } from "baigong"; import { defineAgentTool as alias } from "@zhin.js/tool"; import * as ns from "baigong"; export default [defineAgentTool, alias, ns.UpstreamError];',
    });
    expect(value).toEqual([authoring.defineAgentTool, authoring.defineAgentTool, authoring.UpstreamError]);
  });

  it.each([
    [
      'entry.ts',
      'import { z } from "zod"; import * as mini from "zod/mini"; export default [typeof z.object, typeof mini.string];',
    ],
    ['entry.cjs', 'exports.default = [typeof require("zod").object, typeof require("zod/mini").string];'],
  ])('serves zod to a project that has none (%s)', async (entry, content) => {
    const { evaluator } = await evaluatorFor({ [entry]: content });
    const exports = (await evaluator.load(entry)) as { default: { default?: unknown } };
    expect(exports.default.default ?? exports.default).toEqual(['function', 'function']);
  });

  it('prefers the zod of the project', async () => {
    const value = await defaultOf({
      'node_modules/zod/package.json': '{"name":"zod","main":"index.js"}',
      'node_modules/zod/index.js': 'exports.z = "the project’s";',
      'entry.ts': 'import { z } from "zod"; export default z;',
    });
    expect(value).toBe('the project’s');
  });

  it('lets a zod of the project that is broken fail', async () => {
    const { evaluator } = await evaluatorFor({
      'node_modules/zod/package.json': '{"name":"zod","main":"index.js"}',
      'node_modules/zod/index.js': 'require("not-there");',
      'entry.ts': 'import { z } from "zod"; export default z;',
    });
    await expect(evaluator.load('entry.ts')).rejects.toBeInstanceOf(PackageLoadError);
  });

  it('gives CommonJS files Node’s own require', async () => {
    const value = await defaultOf(
      {
        'node_modules/common/package.json': packages['node_modules/common/package.json'],
        'node_modules/common/index.js': packages['node_modules/common/index.js'],
        'part.cjs': 'module.exports = { part: true };',
        'part.ts': 'export default "esm part"; export const named = 1;',
        'data.json': '{"a":1}',
        'entry.cjs':
          'module.exports = [require("common").named, require("./part.cjs").part, require("./part.ts").default, require("./data.json"), typeof require.resolve("common"), __filename.endsWith("entry.cjs"), this === exports, import("./part.ts").then((part) => part.default)];',
      },
      'entry.cjs',
    );
    const all = await Promise.all(value as unknown[]);
    expect(all).toEqual(['cjs named', true, 'esm part', { a: 1 }, 'string', true, true, 'esm part']);
  });

  it('lets modules in a cycle finish', async () => {
    const value = await defaultOf({
      'entry.ts': 'import { a } from "./a.ts"; export default a();',
      'a.ts': 'import { b } from "./b.ts"; export const a = () => b() + 1; export const own = 10;',
      'b.ts': 'import { own } from "./a.ts"; export const b = () => own;',
    });
    expect(value).toBe(11);
  });

  it('keeps what one entry does wrong from the others', async () => {
    const { evaluator } = await evaluatorFor({
      'good.ts': 'import { shared } from "./shared.ts"; export default shared;',
      'shared.ts': 'export const shared = "fine";',
      'throws.ts': 'import { shared } from "./shared.ts"; throw new Error("broken " + shared);',
      'missing.ts': 'import x from "not-installed"; export default x;',
      'cycle.ts': 'import { other } from "./cycle-2.ts"; export const early = other;',
      'cycle-2.ts': 'import { early } from "./cycle.ts"; export const other = early;',
      'importer.ts': 'import "./throws.ts"; export default 1;',
    });
    await expect(evaluator.load('throws.ts')).rejects.toThrow('broken fine');
    await expect(evaluator.load('missing.ts')).rejects.toMatchObject({
      name: 'PackageLoadError',
      specifier: 'not-installed',
      importer: 'missing.ts',
      cause: { code: 'ERR_MODULE_NOT_FOUND' },
    });
    await expect(evaluator.load('cycle.ts')).rejects.toThrow(ReferenceError);
    await expect(evaluator.load('not-there.ts')).rejects.toThrow('not-there.ts');
    // A module that failed fails everybody who imports it, with the same error, and does not run twice.
    const first = await evaluator.load('throws.ts').catch((error: unknown) => error);
    await expect(evaluator.load('importer.ts')).rejects.toBe(first);
    expect(await evaluator.load('good.ts')).toMatchObject({ default: 'fine' });
  });

  it('finds a package that was installed after a first attempt', async () => {
    const { folder, evaluator } = await evaluatorFor({
      'entry.ts': 'export const lazy = () => import("late");',
    });
    const { lazy } = (await evaluator.load('entry.ts')) as { lazy: () => Promise<{ default: unknown }> };
    await expect(lazy()).rejects.toMatchObject({ code: 'ERR_MODULE_NOT_FOUND' });
    await mkdir(join(folder, 'node_modules/late'), { recursive: true });
    await writeFile(join(folder, 'node_modules/late/package.json'), '{"name":"late","main":"index.js"}');
    await writeFile(join(folder, 'node_modules/late/index.js'), 'module.exports = "here";');
    expect((await lazy()).default).toBe('here');
  });

  it('loads what only an import() names when it is called', async () => {
    const { evaluator } = await evaluatorFor({
      'node_modules/heavy/package.json': '{"name":"heavy","type":"module","exports":"./index.js"}',
      'node_modules/heavy/index.js': 'globalThis.heavyWasLoaded = true; export default "heavy";',
      'lazy.ts': 'import heavy from "heavy"; export default heavy;',
      'entry.ts': 'export const load = () => import("./lazy.ts");',
    });
    const { load } = (await evaluator.load('entry.ts')) as { load: () => Promise<{ default: unknown }> };
    expect('heavyWasLoaded' in globalThis).toBe(false);
    expect((await load()).default).toBe('heavy');
    expect('heavyWasLoaded' in globalThis).toBe(true);
    Reflect.deleteProperty(globalThis, 'heavyWasLoaded');
  });

  it('names the module that does not parse', async () => {
    const folder = await mkdtemp(join(root, 'case-'));
    const base = { digest: 'sha256:0', imports: {}, packages: [] } as const;
    const graph = {
      root: folder,
      modules: [
        { ...base, path: 'bad.ts', format: 'esm', code: 'module.exports = 1;\nlet = ;' },
        { ...base, path: 'bad.json', format: 'json', code: '{"a":' },
        {
          ...base,
          path: 'entry.ts',
          format: 'esm',
          code: 'require("./bad.json")',
          imports: { './bad.json': 'bad.json' },
        },
      ],
    } as const;
    const evaluator = createModuleEvaluator(graph, new Map());
    await expect(evaluator.load('bad.ts')).rejects.toMatchObject({
      name: 'ModuleSyntaxError',
      path: 'bad.ts',
      line: 2,
    });
    const failure = await evaluator.load('entry.ts').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ModuleSyntaxError);
    expect(failure).toMatchObject({ path: 'bad.json' });
  });
});
