import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { PluginInstance } from '../contracts/code-host.ts';
import type { ExecutorEnd } from '../contracts/executor.ts';
import type { Json, JsonObject } from '../contracts/json.ts';
import type { ModuleGraph } from '../contracts/module-graph.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { entriesOf, failureOf, moduleTool, RecordingHost, requestFor } from './fixtures/call-fixtures.ts';
import { compileGraph } from './fixtures/compile-graph.ts';
import { createProcessExecutor, type ProcessExecutor, type ProcessExecutorOptions } from './process-executor.ts';

const never = new AbortController().signal;

/** A plugin that notes its life in `life.log`, provides a counter, and adds the tool `count`. */
const PLUGIN = `import { defineAgentTool, definePlugin, defineToken } from 'baigong';
import { appendFileSync } from 'node:fs';
import { z } from 'zod';
export const counter = defineToken<{ next(): number }>('p.counter');
const note = (what: string) => appendFileSync('life.log', what + ' ');
export default definePlugin({
  name: 'p',
  config: z.object({ key: z.string().default('none') }),
  async setup(context) {
    const { key } = context.config.get();
    note('up-' + key);
    context.onDispose(() => note('down-' + key));
    if (key === 'fails') throw new Error('no such key');
    if (key === 'hangs') await new Promise(() => {});
    if (key === 'exits') process.exit(4);
    let n = 0;
    context.provide(counter, { next: () => (n += 1) }, { remote: ['next'] });
    context.addTool('count', defineAgentTool({ description: 'x', execute: (_input, { config }) => [(n += 1), (config as any).key] }));
    console.log('printed');
  },
});`;

const files = {
  'plugin.ts': PLUGIN,
  'uses.ts': `import { defineAgentTool } from 'baigong'; import { counter } from './plugin.ts';
    export default defineAgentTool({ description: 'x', execute: (_input, context) => [context.use(counter).next(), (context.config as any).key] });`,
  'other.ts': `import { defineAgentTool } from 'baigong'; let n = 0; export default defineAgentTool({ description: 'x', execute: () => (n += 1) });`,
  'waits.ts': `import { defineAgentTool } from 'baigong'; export default defineAgentTool({ description: 'x', execute: (_i, context) => { context.progress(1); return new Promise((resolve) => context.signal.addEventListener('abort', () => resolve(1))); } });`,
  'loop.ts': `import { defineAgentTool } from 'baigong'; export default defineAgentTool({ description: 'x', execute: (_i, context) => { context.progress(1); for (;;); } });`,
};

let root: string;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'baigong-')));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const open: ProcessExecutor[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((executor) => executor.close()));
});

async function start(options: ProcessExecutorOptions = {}) {
  const folder = await mkdtemp(join(root, 'case-'));
  await writeFile(join(folder, 'life.log'), '');
  const graph = await compileGraph(folder, files);
  const executor = createProcessExecutor(options);
  open.push(executor);
  const release = executor.retain(graph);
  const life = async () => (await readFile(join(folder, 'life.log'), 'utf8')).trim();
  const change = (more: Readonly<Record<string, string>>) => compileGraph(folder, { ...files, ...more });
  return { graph, executor, release, life, change };
}

function setUp(executor: ProcessExecutor, graph: ModuleGraph, config: JsonObject = {}): Promise<PluginInstance> {
  return executor.setUp({ graph, entry: 'plugin.ts', plugin: 'p', config, service: () => undefined }, never);
}

function call(
  executor: ProcessExecutor,
  graph: ModuleGraph,
  entry: keyof typeof files,
  options: { readonly config?: JsonObject; readonly member?: string; readonly plugin?: string } = {},
  host = new RecordingHost(),
  signal: AbortSignal = never,
): Promise<ExecutorEnd> {
  const { config = {}, ...where } = options;
  const tool = moduleTool(graph, entry, where);
  return executor.run(tool, { ...requestFor(tool), config }, host, signal);
}

function resultOf(end: ExecutorEnd): Json | undefined {
  if (!end.ok) throw new Error(`the call failed: ${JSON.stringify(end)}`);
  return end.value;
}

const plugin = 'plugin.ts';

describe('a plugin in a child', () => {
  it('is set up there once, for what it adds and for the tools beside it', async () => {
    const logged: string[] = [];
    const { executor, graph, life } = await start({
      log: (name, level, text) => logged.push(`${name} ${level} ${text}`),
    });
    const instance = await setUp(executor, graph, { key: 'a' });
    expect(instance.setUp).toEqual({
      added: [{ kind: 'tool', name: 'count', fields: { description: 'x' }, ownValidator: false }],
      provided: [{ token: 'p.counter', remote: ['next'] }],
      config: { key: 'a' },
      problems: [],
    });
    expect([instance.live.size, instance.services.size]).toEqual([0, 0]);
    expect(logged).toEqual(['p info printed\n']);
    const config = { key: 'a' };
    expect(resultOf(await call(executor, graph, plugin, { member: 'count', config }))).toEqual([1, 'a']);
    expect(resultOf(await call(executor, graph, 'uses.ts', { plugin, config }))).toEqual([2, 'a']);
    expect(await life()).toBe('up-a');
    await Promise.all([instance.dispose(), instance.dispose()]);
    expect(await life()).toBe('up-a down-a');
  });

  it('gets the configuration that its own schema parsed, wherever a call needs it', async () => {
    const { executor, graph, life } = await start();
    expect(resultOf(await call(executor, graph, 'uses.ts', { plugin, config: {} }))).toEqual([1, 'none']);
    expect(resultOf(await call(executor, graph, 'uses.ts', { plugin, config: {} }))).toEqual([2, 'none']);
    const wrong = failureOf(await call(executor, graph, 'uses.ts', { plugin, config: { key: 1 } }));
    expect(wrong).toMatchObject({ code: 'EXECUTION_ERROR', effect: 'none' });
    expect(wrong.message).toContain('plugins.plugin.ts.key');
    const fails = failureOf(await call(executor, graph, 'uses.ts', { plugin, config: { key: 'fails' } }));
    expect(fails.message).toContain('no such key');
    expect(fails.effect).toBe('none');
    expect(failureOf(await call(executor, graph, plugin, { member: 'constructor' })).message).toContain('constructor');
    expect(await life()).toBe('up-none up-fails down-fails');
  });

  it('lives on in the next generation while nothing that it reaches changes', async () => {
    const { executor, graph, release, life, change } = await start({ maxChildren: 1 });
    const config = {};
    expect(resultOf(await call(executor, graph, 'uses.ts', { plugin, config }))).toEqual([1, 'none']);
    expect(resultOf(await call(executor, graph, 'other.ts'))).toBe(1);
    const second = await change({ 'loop.ts': `${files['loop.ts']} export const changed = 1;` });
    const releaseSecond = executor.retain(second);
    await executor.describe(second, entriesOf(['uses.ts', 'other.ts']), never);
    release();
    expect(resultOf(await call(executor, second, 'uses.ts', { plugin, config }))).toEqual([2, 'none']);
    expect(resultOf(await call(executor, second, 'other.ts'))).toBe(2);
    expect(failureOf(await call(executor, graph, 'other.ts')).code).toBe('INTERNAL');
    const third = await change({ 'plugin.ts': `${PLUGIN} export const changed = 1;` });
    executor.retain(third);
    expect(resultOf(await call(executor, third, 'uses.ts', { plugin, config }))).toEqual([1, 'none']);
    expect(resultOf(await call(executor, third, 'other.ts'))).toBe(3);
    expect(await life()).toBe('up-none up-none');
    releaseSecond();
    // The frame that says so is handled before the next call.
    await call(executor, third, 'other.ts');
    await expect.poll(life).toBe('up-none up-none down-none');
  });

  it('is one instance for each configuration', async () => {
    const { executor, graph, life } = await start({ maxChildren: 1 });
    const old = await setUp(executor, graph, { key: 'a' });
    const next = await setUp(executor, graph, { key: 'b' });
    expect(resultOf(await call(executor, graph, 'uses.ts', { plugin, config: { key: 'b' } }))).toEqual([1, 'b']);
    await old.dispose();
    expect(await life()).toBe('up-a up-b down-a');
    expect(resultOf(await call(executor, graph, 'uses.ts', { plugin, config: { key: 'b' } }))).toEqual([2, 'b']);
    await next.dispose();
    expect(await life()).toBe('up-a up-b down-a down-b');
  });

  it('tidies up when the executor closes, a busy process too', async () => {
    const { executor, graph, life } = await start();
    await setUp(executor, graph, { key: 'a' });
    const host = new RecordingHost();
    // Never ends by itself, but lets its process go when it is cancelled.
    const waits = call(executor, graph, 'waits.ts', { plugin, config: { key: 'a' } }, host);
    await host.untilProgress(1);
    await executor.close();
    expect(failureOf(await waits).code).toBe('CANCELLED');
    expect(await life()).toBe('up-a down-a');
  });

  it.each([
    ['fails', 'fails', /^plugin\.ts:13:/, 'no such key', 'up-fails down-fails'],
    ['hangs', 'hangs', /^plugin\.ts$/, '1000 ms', 'up-hangs down-hangs'],
    ['ends its process', 'exits', /^plugin\.ts$/, 'exit code 4', 'up-exits'],
  ])('that %s is a problem of its file', async (_name, key, file, reason, lived) => {
    const { executor, graph, life } = await start({ setUpMs: 1_000 });
    const instance = await setUp(executor, graph, { key });
    expect(instance.setUp).toMatchObject({ added: [], provided: [] });
    expect(instance.setUp.problems).toMatchObject([{ code: 'SETUP_FAILED', file: expect.stringMatching(file) }]);
    expect(renderText(instance.setUp.problems[0]?.message ?? { key: 'plain' }, 'en')).toContain(reason);
    await instance.dispose();
    expect(await life()).toBe(lived);
    expect(resultOf(await call(executor, graph, 'other.ts'))).toBe(1);
  });

  it('that ends its process blames no earlier call where there was none', async () => {
    const { executor, graph } = await start();
    await executor.describe(graph, entriesOf(['plugin.ts'], 'plugin'), never);
    const instance = await setUp(executor, graph, { key: 'exits' });
    const said = renderText(instance.setUp.problems[0]?.message ?? { key: 'plain' }, 'en');
    expect(said).toContain('exit code 4');
    expect(said).not.toContain('earlier call');
  });

  it('rejects when nobody waits for it, and lets go', async () => {
    const { executor, graph, release, life } = await start();
    const controller = new AbortController();
    const request = { graph, entry: 'plugin.ts', plugin: 'p', config: { key: 'hangs' }, service: () => undefined };
    const settingUp = executor.setUp(request, controller.signal);
    await expect.poll(life).toBe('up-hangs');
    controller.abort(new Error('enough'));
    await expect(settingUp).rejects.toThrow('enough');
    expect(await life()).toBe('up-hangs down-hangs');
    release();
    expect(failureOf(await call(executor, graph, 'other.ts')).code).toBe('INTERNAL');
  });
});

describe('a nested call', () => {
  it('gets a process although all are busy with calls that wait for it', async () => {
    const { executor, graph } = await start({ maxChildren: 1 });
    const stop = new AbortController();
    const host = new RecordingHost();
    const outer = call(executor, graph, 'loop.ts', {}, host, stop.signal);
    await host.untilProgress(1);
    const tool = moduleTool(graph, 'other.ts');
    const waiting = call(executor, graph, 'other.ts');
    const request = { ...requestFor(tool), nested: true };
    expect(resultOf(await executor.run(tool, request, new RecordingHost(), never))).toBe(1);
    expect(await executor.validate(tool, {}, {}, never, true)).toEqual([]);
    stop.abort();
    expect(failureOf(await outer).code).toBe('CANCELLED');
    expect((await waiting).ok).toBe(true);
  });
});
