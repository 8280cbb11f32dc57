import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PluginInstance, ProvidedService } from '../contracts/code-host.ts';
import type { JsonObject } from '../contracts/json.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { failureOf, moduleTool, RecordingHost, requestFor } from './fixtures/call-fixtures.ts';
import { compileGraph } from './fixtures/compile-graph.ts';
import { createInlineExecutor } from './inline-executor.ts';

const never = new AbortController().signal;

let root: string;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'baigong-')));
});
afterAll(() => rm(root, { recursive: true, force: true }));

interface SetUpOptions {
  readonly config?: JsonObject;
  readonly fields?: string;
  readonly services?: ReadonlyMap<string, ProvidedService>;
  readonly signal?: AbortSignal;
  readonly setUpMs?: number;
}

/** Sets a plugin up whose `setup` has the given body. `events` is what its code pushes to `config.events` … of its own. */
async function setUp(body: string, options: SetUpOptions = {}) {
  const { config = {}, fields = '', services = new Map(), signal = never } = options;
  const folder = await mkdtemp(join(root, 'case-'));
  const graph = await compileGraph(folder, {
    'plugin.ts': `import { defineAgentPromptSection, defineAgentTool, defineHook, definePlugin, defineToken } from 'baigong'; import { z } from 'zod';
const tool = defineAgentTool({ description: 'x', inputSchema: z.object({ n: z.number() }), execute: ({ n }) => n + 1 });
const section = defineAgentPromptSection({ title: 't', content: 'c' }); const hook = defineHook({ on: 'error', handler() {} });
const db = defineToken<any>('lottery.db'); const events: string[] = []; void [tool, section, hook, db, events];
const wait = (ms: number) => new Promise((done) => setTimeout(done, ms)); void wait;
export default definePlugin({ name: 'lottery', ${fields} async setup(context: any) {
${body}
} });`,
  });
  const logged: string[] = [];
  const inline = createInlineExecutor({
    log: (plugin, level, message) => logged.push(`${plugin} ${level} ${message}`),
    ...(options.setUpMs === undefined ? {} : { setUpMs: options.setUpMs }),
  });
  const release = inline.retain(graph);
  const service = (token: string) => services.get(token);
  const instance = await inline.setUp({ graph, entry: 'plugin.ts', plugin: 'lottery', config, service }, signal);
  return { graph, inline, instance, logged, release };
}

function faults(instance: PluginInstance) {
  return instance.setUp.problems.map(({ code, file, field }) => [code, file, field]);
}

describe('setting a plugin up in this process', () => {
  it('tells as plain data what was added and provided, and keeps the objects', async () => {
    const { instance, inline, graph, logged } = await setUp(
      `context.addTool('sync', tool); context.addPromptSection('terms', section); context.addHook('watch', hook);
       context.addSkill('draw', { description: 'd', body: '# Steps', tools: ['sync'] });
       context.provide(db, { sync: () => 7 }, { remote: ['sync'] });
       context.log.info('key ' + context.config.get().key);`,
      { config: { key: 'k', extra: 1 }, fields: 'config: z.object({ key: z.string(), days: z.number().default(3) }),' },
    );
    expect(instance.setUp).toEqual({
      added: [
        { kind: 'tool', name: 'sync', fields: expect.objectContaining({ description: 'x' }), ownValidator: true },
        { kind: 'prompt-section', name: 'terms', fields: { title: 't', content: 'c' }, ownValidator: false },
        { kind: 'hook', name: 'watch', fields: { on: 'error' }, ownValidator: false },
        {
          kind: 'skill',
          name: 'draw',
          fields: { description: 'd', tools: ['sync'] },
          texts: { body: '# Steps' },
          ownValidator: false,
        },
      ],
      provided: [{ token: 'lottery.db', remote: ['sync'] }],
      config: { key: 'k', days: 3 },
      problems: [],
    });
    expect([...instance.live.keys()]).toEqual(['tool:sync', 'prompt-section:terms', 'hook:watch', 'skill:draw']);
    const service = instance.services.get('lottery.db');
    expect((service?.value as { sync(): number } | undefined)?.sync()).toBe(7);
    expect(instance.config).toEqual({ key: 'k', days: 3 });
    expect(logged).toEqual(['lottery info key k']);
    const added = moduleTool(graph, 'plugin.ts', { member: 'sync' });
    const call = () => inline.run(added, requestFor(added, { n: 1 }), new RecordingHost(), never);
    expect(await call()).toEqual({ ok: true, value: 2 });
    const missing = moduleTool(graph, 'plugin.ts', { member: 'constructor' });
    const end = await inline.run(missing, requestFor(missing), new RecordingHost(), never);
    expect(failureOf(end)).toMatchObject({ code: 'EXECUTION_ERROR', effect: 'none' });
    await instance.dispose();
    expect((await call()).ok).toBe(false);
  });

  it('notes every fault at its place, at once', async () => {
    const { instance } = await setUp(`context.addTool('a', tool);
context.addTool('a', tool);
context.addTool('', tool);
context.addTool('b', hook);
context.addHook('b', { on: 'error', handler() {} });
context.addSkill('s', { description: 'd' });
context.provide(db, {});
context.provide(defineToken('lottery.db'), {});
context.provide('', {});
context.provide(defineToken('x'), new (class { sync() {} })(), { remote: ['sinc'] });
context.addTool('__proto__', defineAgentTool({ description: 'x', tags: [1n] } as never));`);
    const line = (n: number) => expect.stringMatching(new RegExp(`^plugin\\.ts:${n + 6}:`));
    expect(faults(instance)).toEqual([
      ['DUPLICATE_NAME', line(2), 'tool/a'],
      ['INVALID_NAME', line(3), undefined],
      ['WRONG_TYPE', line(4), 'tool/b'],
      ['WRONG_TYPE', line(5), 'hook/b'],
      ['MISSING_FIELD', line(6), 'skill/s/body'],
      ['DUPLICATE_NAME', line(8), undefined],
      ['WRONG_TYPE', line(9), undefined],
      ['UNKNOWN_METHOD', line(10), 'remote'],
      ['NOT_JSON', line(11), 'tool/__proto__/tags/0'],
      ['MISSING_FIELD', line(11), 'tool/__proto__/execute'],
    ]);
    expect(instance.setUp.problems[7]).toMatchObject({ found: '"sinc"', expected: '"sync"' });
    expect(instance.setUp).toMatchObject({ added: [], provided: [] });
    expect([instance.live.size, instance.services.size]).toEqual([0, 0]);
  });

  it('says all that is wrong with the configuration, and does not run setup', async () => {
    const { instance, logged } = await setUp(`context.log.info('ran');`, {
      config: { a: { 'b/c': 1 } },
      fields: `config: z.object({ a: z.object({ 'b/c': z.string() }), key: z.string() }),`,
    });
    expect(faults(instance)).toEqual([
      ['INVALID_CONFIG', undefined, 'plugins.lottery.a.b/c'],
      ['INVALID_CONFIG', undefined, 'plugins.lottery.key'],
    ]);
    expect(logged).toEqual([]);
  });

  it('gives it the services of those before it, and says which one is missing', async () => {
    const services = new Map([['lottery.db', { token: 'lottery.db', value: { n: 5 }, remote: [] }]]);
    const good = await setUp(`context.log.info('n ' + context.use(db).n);`, { services });
    expect(good.logged).toEqual(['lottery info n 5']);
    const bad = await setUp(`context.use(defineToken('constructor'));`, { services });
    expect(bad.instance.setUp.problems).toMatchObject([
      { code: 'SETUP_FAILED', file: expect.stringMatching(/^plugin\.ts:7:/) },
    ]);
    const message = renderText(bad.instance.setUp.problems[0]?.message ?? { key: 'plain' }, 'en');
    expect(message).toContain('"constructor"');
    expect(message).toContain('uses: [token]');
  });

  it('disposes once, last first, past failures', async () => {
    const { instance, logged, release } = await setUp(`
      context.onDispose(() => context.log.info('first'));
      context.onDispose(async () => { await wait(5); context.log.info('second'); throw new Error('broke'); });
      context.onDispose(() => { context.log.info('third'); throw new Error('broke too'); });`);
    await Promise.all([instance.dispose(), instance.dispose()]);
    await instance.dispose();
    release();
    expect(logged.map((line) => line.replace(/.*: /, ''))).toEqual([
      'lottery info third',
      'broke too',
      'lottery info second',
      'broke',
      'lottery info first',
    ]);
  });

  it.each([
    ['throws', `throw new Error('no database in ' + import.meta.filename);`],
    ['rejects', `await wait(1); await Promise.reject(new Error('no database in ' + import.meta.filename));`],
  ])('disposes of what a setup opened that %s', async (_name, body) => {
    const { instance, logged } = await setUp(`context.onDispose(() => context.log.info('closed'));\n${body}`);
    expect(logged).toEqual(['lottery info closed']);
    expect(faults(instance)).toEqual([['SETUP_FAILED', expect.stringMatching(/^plugin\.ts:8:/), undefined]]);
    expect(renderText(instance.setUp.problems[0]?.message ?? { key: 'plain' }, 'en')).toContain(
      'no database in ./plugin.ts',
    );
    await instance.dispose();
    expect(logged).toEqual(['lottery info closed']);
  });

  it('ignores what comes after setup, and says so with its line', async () => {
    const { instance, logged } = await setUp(`
      context.onDispose(() => {
        for (const late of [() => context.addTool('late', tool), () => context.provide(db, {}), () => context.onDispose(() => {})]) {
          late();
        }
      });`);
    await instance.dispose();
    expect(logged).toHaveLength(3);
    expect(logged[0]).toMatch(
      /^lottery warn plugin\.ts:\d+:\d+: addTool was called after the setup of the plugin lottery/,
    );
    expect(instance.live.size).toBe(0);
  });

  it('ends one that takes too long; what it still opens is closed', async () => {
    const { instance, logged } = await setUp(
      `context.onDispose(() => context.log.info('closed'));
       const go = new Promise<void>((resolve) => context.onDispose(() => setTimeout(resolve, 1)));
       await go;
       context.onDispose(() => context.log.info('late closed'));`,
      { setUpMs: 100 },
    );
    expect(instance.setUp.problems).toMatchObject([{ code: 'SETUP_FAILED', file: 'plugin.ts' }]);
    await expect.poll(() => logged).toEqual(['lottery info closed', 'lottery info late closed']);
  });

  it('rejects when nobody waits, everything disposed', async () => {
    const controller = new AbortController();
    (globalThis as { abortNow?: () => void }).abortNow = () => controller.abort(new Error('enough'));
    const closed: string[] = [];
    (globalThis as { closed?: string[] }).closed = closed;
    const body = `context.onDispose(() => (globalThis as any).closed.push('closed')); (globalThis as any).abortNow(); await new Promise(() => {});`;
    await expect(setUp(body, { signal: controller.signal })).rejects.toThrow('enough');
    expect(closed).toEqual(['closed']);
    Reflect.deleteProperty(globalThis, 'abortNow');
    Reflect.deleteProperty(globalThis, 'closed');
  });

  it.each([
    ['throws at its top', 'throw new Error("top");', 'LOAD_ERROR'],
    [
      'is something else',
      `import { defineHook } from 'baigong'; export default defineHook({ on: 'error', handler() {} });`,
      'NOT_A_PLUGIN',
    ],
    ['exports nothing', 'export const a = 1;', 'NO_DEFAULT_EXPORT'],
  ])('names a file that %s', async (_name, content, code) => {
    const graph = await compileGraph(await mkdtemp(join(root, 'case-')), { 'plugin.ts': content });
    const inline = createInlineExecutor();
    const request = { graph, entry: 'plugin.ts', plugin: 'p', config: {}, service: () => undefined };
    const { setUp: told } = await inline.setUp(request, never);
    expect(told.problems).toMatchObject([{ code, file: expect.stringMatching(/^plugin\.ts/), fatal: true }]);
  });
});
