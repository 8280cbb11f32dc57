import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProject } from '@baigong/testing';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createRuntime,
  type Json,
  type Outcome,
  outcomeJson,
  type Problem,
  type Runtime,
  type RuntimeOptions,
  renderText,
} from './index.ts';

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).reverse()) await one();
});

type Files = Readonly<Record<string, string>>;

const source = (text: string) => `// @ts-nocheck
import { appendFileSync } from 'node:fs';
import { defineAgentTool, defineAgentPromptSection, defineHook, definePlugin, defineToken } from 'baigong';
import { z } from 'zod';
const note = (text) => appendFileSync('LOG', text + ' ');
${text}
`;
const plugin = (members: string, before = '') => source(`${before}\nexport default definePlugin({ ${members} });`);
const tool = (execute: string, members = '') =>
  source(
    `export default defineAgentTool({ description: 'Does it.', requiresApproval: 'never', ${members} execute: ${execute} });`,
  );

interface Started {
  readonly runtime: Runtime;
  /** What plugins noted so far. */
  log(): Promise<string>;
  call(name: string, input?: Record<string, Json>): Promise<unknown>;
}

/** Names that plugins note go to a file outside of the project. */
async function prepare(files: Files, options: RuntimeOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'baigong-plugins-'));
  undo.push(() => rm(folder, { recursive: true }));
  const file = join(folder, 'log');
  await writeFile(file, '');
  const written = Object.fromEntries(Object.entries(files).map(([path, text]) => [path, text.replaceAll('LOG', file)]));
  const project = await createProject({ 'package.json': '{ "name": "plugins", "type": "module" }', ...written });
  undo.push(() => project.remove());
  const open = () =>
    createRuntime({
      project: project.root,
      store: 'memory',
      model: 'offline',
      environment: {},
      home: project.root,
      ...options,
    });
  return { open, log: async () => (await readFile(file, 'utf8')).trim() };
}

async function start(files: Files, options: RuntimeOptions = {}): Promise<Started> {
  const { open, log } = await prepare(files, options);
  const runtime = await open();
  undo.push(() => runtime.close());
  return { runtime, log, call: async (name, input = {}) => resultOf(await runtime.call(name, input)) };
}

/** Names of the project's own tools. */
function ownNames({ table }: Runtime): readonly string[] {
  return table.tools.filter(({ source }) => source.via !== 'framework').map(({ name }) => name);
}

/** The fatal problems of a project that does not start, and what was noted. */
async function refused(files: Files, options: RuntimeOptions = {}) {
  const { open, log } = await prepare(files, options);
  const error = await open().then(
    async (runtime) => {
      await runtime.close();
      throw new Error('the project was right');
    },
    (thrown: { problems?: readonly Problem[] }) => thrown,
  );
  if (error.problems === undefined) throw error;
  return { problems: error.problems.filter(({ fatal }) => fatal), log: await log() };
}

function resultOf(outcome: Outcome): unknown {
  return outcome.status === 'success' ? outcome.result.value : outcomeJson(outcome, 'en');
}

const said = (problem: Problem | undefined) => (problem === undefined ? '' : renderText(problem.message, 'en'));

describe('setup', () => {
  it('runs providers before users, whatever their folders are called, and disposes in the order of handing over, last first', async () => {
    const { runtime, log, call } = await start({
      'plugins/a-user/plugin.ts': plugin(`name: 'user', uses: [defineToken('b.value')], setup(context) {
        note('user-' + context.use(defineToken('b.value')).get());
        context.onDispose(() => note('user-down'));
      }`),
      'plugins/b-middle/plugin.ts':
        plugin(`name: 'middle', provides: [defineToken('b.value')], uses: [defineToken('c.value')], setup(context) {
        const base = context.use(defineToken('c.value'));
        context.onDispose(() => note('middle-first'));
        context.onDispose(async () => { await Promise.resolve(); note('middle-second'); });
        context.provide(defineToken('b.value'), { get: () => base + 1 });
        note('middle');
      }`),
      'plugins/c-base/plugin.ts': plugin(`name: 'base', provides: [defineToken('c.value')], setup(context) {
        context.provide(defineToken('c.value'), 1);
        note('base');
      }`),
      'tools/read/index.ts': tool(
        `(_input, { use }) => use(defineToken('b.value')).get()`,
        `isolation: 'inline', uses: [defineToken('b.value')],`,
      ),
    });
    expect(await log()).toBe('base middle user-2');
    expect(await call('read')).toBe(2);
    await runtime.close();
    const ends = (await log()).split(' ').slice(3);
    expect(ends.filter((end) => end.startsWith('middle'))).toEqual(['middle-second', 'middle-first']);
    expect([...ends].sort()).toEqual(['middle-first', 'middle-second', 'user-down']);
  });

  it('that returns early adds nothing, and neither does one that adds too late', async () => {
    const { runtime, call } = await start({
      'plugins/early/plugin.ts': plugin(`name: 'early', setup(context) {
        if (context.config.get().enabled !== true) return;
        context.addTool('extra', defineAgentTool({ description: 'x', execute: () => 1 }));
      }`),
      'plugins/late/plugin.ts': plugin(
        `name: 'late', setup(context) { kept = context; context.addTool('again', defineAgentTool({ description: 'x', requiresApproval: 'never', isolation: 'inline', execute() {
          try { kept.addTool('more', defineAgentTool({ description: 'x', execute: () => 1 })); } catch (error) { return error.message; }
        } })); }`,
        'let kept;',
      ),
    });
    expect(ownNames(runtime)).toEqual(['late__again']);
    // What calls it may be a timer: it is logged, and throws at nobody.
    expect(await call('late__again')).toBeNull();
    expect(runtime.table.get('late__more')).toBeUndefined();
  });

  it('makes no difference between a tool that it adds and one in a folder', async () => {
    const members = `description: 'Doubles.', requiresApproval: 'never', isolation: 'inline', annotations: { readOnlyHint: true },
      inputSchema: z.object({ n: z.number().default(2) }), execute: ({ n }) => n * 2`;
    const { runtime, call } = await start({
      'plugin.ts': plugin(
        `name: 'root', setup(context) { context.addTool('added', defineAgentTool({ ${members} })); }`,
      ),
      'tools/placed/index.ts': source(`export default defineAgentTool({ ${members} });`),
    });
    const [added, placed] = ['added', 'placed'].map((name) => {
      const tool = runtime.table.tools.find((one) => one.name === name);
      if (tool === undefined) throw new Error(`there is no tool ${name}`);
      const { description, approval, trustedHints, isolation, limits, admissionClass, owner } = tool;
      return {
        description,
        approval,
        trustedHints,
        isolation,
        limits,
        admissionClass,
        owner,
        schema: tool.inputSchema,
      };
    });
    expect(added).toEqual(placed);
    expect([await call('added'), await call('placed'), await call('added', { n: 4 })]).toEqual([4, 4, 8]);
    expect(await call('added', { n: 'x' })).toMatchObject({ error_type: 'INVALID_ARGUMENTS' });
    const faulty = await refused({
      'plugin.ts': plugin(
        `name: 'root', setup(context) { context.addTool('added', defineAgentTool({ execute: () => 1, requireApproval: 1 })); }`,
      ),
    });
    expect(faulty.problems.map(({ code, file }) => `${code} ${file?.replace(/:.*/, '')}`).sort()).toEqual([
      'MISSING_FIELD plugin.ts',
      'UNKNOWN_FIELD plugin.ts',
    ]);
  });

  it('that fails undoes what all had begun, and tells every other fault too', async () => {
    const { problems, log } = await refused({
      'plugins/fine/plugin.ts': plugin(
        `name: 'fine', setup(context) { note('fine'); context.onDispose(() => note('fine-down')); }`,
      ),
      'plugins/fails/plugin.ts': plugin(
        `name: 'fails', setup(context) { context.onDispose(() => note('fails-down')); throw new Error('no port'); }`,
      ),
      'tools/odd/index.ts': tool('1'),
    });
    expect(problems.map(({ code }) => code).sort()).toEqual(['MISSING_FIELD', 'SETUP_FAILED']);
    expect(log.split(' ').sort()).toEqual(['fails-down', 'fine', 'fine-down']);
  });
});

describe('a service', () => {
  it('reaches who uses it although its provider did not say that it provides it', async () => {
    const { log } = await start({
      'plugins/a-user/plugin.ts': plugin(
        "name: 'user', uses: [defineToken('late')], setup(context) { note(context.use(defineToken('late'))); }",
      ),
      'plugins/b-base/plugin.ts': plugin(
        "name: 'base', setup(context) { context.provide(defineToken('late'), 'given'); }",
      ),
    });
    expect(await log()).toBe('given');
  });

  it('is not missed by a plugin’s own tools when its setup fails: that is told, once', async () => {
    const { problems } = await refused({
      'plugins/shop/plugin.ts': plugin("name: 'shop', setup() { throw new Error('closed'); }"),
      'plugins/shop/tools/ask/index.ts': tool('() => 1', "uses: [defineToken('shop.any')],"),
    });
    expect(problems.map(({ code }) => code)).toEqual(['SETUP_FAILED']);
  });

  const provider = `
    class Shop { #rows = [3, 4]; at = 'here';
      list() { return this.#rows; }
      async add({ n }) { if (n < 0) throw new Error('no negative rows'); this.#rows.push(n); return { count: this.#rows.length }; }
      secret() { return 'hidden'; }
      strange() { return { tick: () => 1 }; }
      ['constructor']() {}
    }`.replace("      ['constructor']() {}\n", '');
  const files = (isolation: string, execute: string): Files => ({
    'plugins/shop/plugin.ts': plugin(
      `name: 'shop', provides: [defineToken('shop')], setup(context) {
        context.provide(defineToken('shop'), new Shop(), { remote: ['list', 'add', 'strange'] });
        context.provide(defineToken('shop.local'), { here: () => 1 });
      }`,
      provider,
    ),
    'tools/ask/index.ts': tool(`async (input, context) => { ${execute} }`, `isolation: '${isolation}',`),
  });
  const use = "const shop = context.use(defineToken('shop'));";

  it.each([
    ['inline', 'process'],
    ['process', 'process'],
  ])('takes and gives plain data to a tool (%s)', async (isolation) => {
    const { call } = await start(
      files(isolation, `${use} return [await shop.list(), await shop.add({ n: 5 }), await shop.list()];`),
    );
    expect(await call('ask')).toEqual(
      [[3, 4], { count: 3 }, [3, 4, 5]].map((one) => (Array.isArray(one) && isolation === 'inline' ? [3, 4, 5] : one)),
    );
  });

  it('is the object itself in this process, and only its remote methods elsewhere', async () => {
    const here = await start(files('inline', `${use} return [shop.at, shop.secret()];`));
    expect(await here.call('ask')).toEqual(['here', 'hidden']);
    const there = await start(files('process', `${use} return [shop.at ?? null, typeof shop.list];`));
    expect(await there.call('ask')).toEqual([null, 'function']);
  });

  it.each([
    [
      'rejects',
      "return shop.add({ n: -1 }).catch((error) => [error.message, Object.keys(error), error.stack.includes('plugin.ts')]);",
      ['no negative rows', [], false],
    ],
    ['gives what is no plain data', 'return shop.strange().catch((error) => error instanceof Error);', true],
  ])('that %s tells a tool in another process its message and no more', async (_what, execute, expected) => {
    const { call } = await start(files('process', `${use} ${execute}`));
    expect(await call('ask')).toEqual(expected);
  });

  it.each([
    ['a method that is not declared as remote', `${use} return shop.secret();`, /secret/],
    ['a method that there is not', `${use} return shop.missing();`, /missing/],
    [
      'a service that declares no remote method',
      "return context.use(defineToken('shop.local')).here();",
      /shop\.local/,
    ],
    ['a service that nobody provides', "return context.use(defineToken('shop.nobody'));", /shop\.nobody/],
    ['a name that every object has', "return context.use(defineToken('constructor'));", /constructor/],
  ])('refuses a tool in another process %s, clearly', async (_what, execute, message) => {
    const { call } = await start(files('process', execute));
    const outcome = await call('ask');
    expect(outcome).toMatchObject({
      status: 'error',
      error_type: 'EXECUTION_ERROR',
      message: expect.stringMatching(message),
    });
    expect(JSON.stringify(outcome)).not.toMatch(/plugin\.ts:\d|node:internal/);
  });

  it('that is declared and not there is a load error with the nearest name, for tools and for plugins', async () => {
    const { problems } = await refused({
      ...files('process', 'return 1;'),
      'tools/asks/index.ts': tool('() => 1', "uses: [defineToken('shpo')],"),
      'plugins/asks/plugin.ts': plugin("name: 'asks', uses: [defineToken('shop.locla')], setup() { note('ran'); }"),
    });
    expect(problems.map(({ code, file, field, found, expected }) => ({ code, file, field, found, expected }))).toEqual([
      {
        code: 'UNKNOWN_SERVICE',
        file: 'plugins/asks/plugin.ts',
        field: 'uses/0',
        found: '"shop.locla"',
        expected: '"shop.local"',
      },
      { code: 'UNKNOWN_SERVICE', file: 'tools/asks/index.ts', field: 'uses/0', found: '"shpo"', expected: '"shop"' },
    ]);
  });
});

describe('the configuration of a plugin', () => {
  const schemas = [
    [
      'Zod',
      "z.object({ city: z.string().min(2), limit: z.number().int().default(7), mode: z.enum(['a', 'b']).default('a') })",
    ],
    [
      'JSON Schema',
      "{ type: 'object', required: ['city'], properties: { city: { type: 'string', minLength: 2 }, limit: { type: 'integer', default: 7 }, mode: { enum: ['a', 'b'], default: 'a' } } }",
    ],
  ] as const;
  const files = (schema: string): Files => ({
    'plugins/town/plugin.ts': plugin(
      `name: 'town', config: ${schema}, setup(context) { note(JSON.stringify(context.config.get())); }`,
    ),
    'plugins/town/tools/tell/index.ts': tool('(_input, { config }) => config'),
    'plugins/town/tools/here/index.ts': tool('(_input, { config }) => config', "isolation: 'inline',"),
  });

  it.each(schemas)(
    'gets the defaults of its schema (%s), in setup and in tools of both isolations',
    async (_kind, schema) => {
      const { log, call } = await start(files(schema), { settings: { plugins: { town: { city: 'Oslo' } } } });
      const parsed = { city: 'Oslo', limit: 7, mode: 'a' };
      expect(JSON.parse(await log())).toEqual(parsed);
      expect([await call('town__tell'), await call('town__here')]).toEqual([parsed, parsed]);
    },
  );

  it.each(schemas)(
    'is refused with all faults at once and no value (%s), and setup does not run',
    async (_kind, schema) => {
      const settings = { plugins: { town: { city: '7', limit: 'hunter2', mode: 'hunter3' } } };
      const { problems, log } = await refused(files(schema), { settings });
      expect(problems.map(({ code, field }) => `${code} ${field?.replace('/', '.')}`).sort()).toEqual([
        'INVALID_CONFIG plugins.town.city',
        'INVALID_CONFIG plugins.town.limit',
        'INVALID_CONFIG plugins.town.mode',
      ]);
      expect(JSON.stringify(problems)).not.toMatch(/hunter/);
      for (const problem of problems) expect(said(problem)).toContain('town');
      expect(log).toBe('');
    },
  );

  it('switches a plugin off with all below it, and nothing else', async () => {
    const all = {
      'plugins/town/plugins/inner/tools/deep/index.ts': tool('() => 1'),
      'plugins/other/tools/stay/index.ts': tool('() => 1'),
    };
    const { runtime, log } = await start(
      { ...files('z.object({})'), ...all },
      { settings: { plugins: { town: false } } },
    );
    expect(ownNames(runtime)).toEqual(['other__stay']);
    expect(await log()).toBe('');
  });
});

describe('plugins among one another', () => {
  it('cannot share a name', async () => {
    const { problems } = await refused({
      'plugins/one/plugin.ts': plugin("name: 'twin', setup() {}"),
      'plugins/two/plugin.ts': plugin("name: 'twin', setup() {}"),
    });
    expect(problems).toMatchObject([
      { code: 'DUPLICATE_PLUGIN', file: 'plugins/two/plugin.ts', field: 'name', found: '"twin"' },
    ]);
  });

  it('nest, are grouped by folders that give no name, and come in packages with children of their own', async () => {
    const adds = (name: string) =>
      plugin(
        `name: '${name}', setup(context) { context.addTool('added', defineAgentTool({ description: 'x', requiresApproval: 'never', execute: (_i, { config }) => ['${name}', config] })); }`,
      );
    const at = 'node_modules/@acme/kit';
    const { runtime, call } = await start(
      {
        'plugins/outer/plugin.ts': adds('outer'),
        'plugins/outer/plugins/inner/plugin.ts': adds('outer inner'),
        'plugins/group/sub/lottery/plugin.ts': adds('lottery'),
        [`${at}/package.json`]: '{ "name": "@acme/kit", "version": "1.0.0", "type": "module" }',
        [`${at}/plugin.ts`]: adds('kit'),
        [`${at}/plugins/part/plugin.ts`]: adds('kit part'),
        [`${at}/plugins/part/tools/placed/index.ts`]: tool('(_i, { config }) => config'),
      },
      {
        settings: {
          plugins: {
            outer: { a: 1 },
            outer__inner: { b: 2 },
            lottery: { c: 3 },
            '@acme/kit': { d: 4 },
            kit__part: { e: 5 },
          },
        },
      },
    );
    expect(ownNames(runtime)).toEqual([
      'kit__added',
      'kit__part__added',
      'kit__part__placed',
      'lottery__added',
      'outer__added',
      'outer__inner__added',
    ]);
    expect(await call('outer__added')).toEqual(['outer', { a: 1 }]);
    expect(await call('outer__inner__added')).toEqual(['outer inner', { b: 2 }]);
    expect(await call('lottery__added')).toEqual(['lottery', { c: 3 }]);
    expect(await call('kit__added')).toEqual(['kit', { d: 4 }]);
    expect(await call('kit__part__added')).toEqual(['kit part', { e: 5 }]);
    expect(await call('kit__part__placed')).toEqual({ e: 5 });
  });
});
