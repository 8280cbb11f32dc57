import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { configKeys } from './config/index.ts';
import {
  CONFIG,
  type ConfiguredProject,
  type ConfiguredRuntime,
  callsForEver,
  configuredProject,
  scriptedProvider,
  startConfigured,
} from './fixtures/start-configured.ts';
import { defineAgentTool, renderText } from './index.ts';

const nothing = defineAgentTool({ description: 'Does nothing.', requiresApproval: 'never', execute: () => 'nothing' });

const tool = (execute: string) => `
  import { defineAgentTool } from 'baigong';
  export default defineAgentTool({ description: 'For tests.', requiresApproval: 'never', execute: ${execute} });`;

/** What a call came to: its value, or its error as people read it. */
async function outcomeOf(runtime: ConfiguredRuntime, name: string): Promise<unknown> {
  const outcome = await runtime.call(name, {});
  if (outcome.status === 'success') return outcome.result.value;
  return `${outcome.code} ${renderText(outcome.message, 'en')}`;
}

/** A key before and after, and how the difference is seen from outside. */
interface Change {
  readonly before: string;
  readonly after: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly see: (runtime: ConfiguredRuntime) => Promise<unknown>;
  readonly seen: readonly [unknown, unknown];
}

const changes: Readonly<Record<string, () => Promise<Change>>> = {
  'turn.maxSteps': async () => ({
    before: 'turn: { maxSteps: 2 }',
    after: 'turn: { maxSteps: 3 }',
    see: async (runtime) => (await runtime.run({ text: 'go' }).result).steps,
    seen: [2, 3],
  }),
  'ai.model': async () => ({
    before: 'turn: { maxSteps: 1 }\nai: { model: openai/first }',
    after: 'turn: { maxSteps: 1 }\nai: { model: openai/second }',
    see: async (runtime) => {
      const { id, result } = runtime.run({ text: 'go' });
      await result;
      const request = (await runtime.record(id)).find(({ kind }) => kind === 'turn-start');
      return [runtime.model.name, JSON.stringify(request?.body).includes(runtime.model.name)];
    },
    seen: [
      ['openai/first', true],
      ['openai/second', true],
    ],
  }),
  config: async () => ({
    before: 'config: { city: Oslo }',
    after: 'config: { city: 北京 }',
    files: { 'tools/look/index.ts': tool('(_input, { config }) => config.city') },
    see: (runtime) => outcomeOf(runtime, 'look'),
    seen: ['Oslo', '北京'],
  }),
  plugins: async () => ({
    before: 'plugins: { weather: { city: Oslo } }',
    after: 'plugins: { weather: { city: 北京 } }',
    files: { 'plugins/weather/tools/look/index.ts': tool('(_input, { config }) => config.city') },
    see: (runtime) => outcomeOf(runtime, 'weather__look'),
    seen: ['Oslo', '北京'],
  }),
  locale: async () => ({
    before: 'locale: en',
    after: 'locale: zh',
    files: { 'tools/look/index.ts': tool('(_input, { locale }) => locale') },
    see: async (runtime) => [runtime.locale, await outcomeOf(runtime, 'look')],
    seen: [
      ['en', 'en'],
      ['zh', 'zh'],
    ],
  }),
  'execution.timeoutMs': async () => ({
    before: 'execution: { timeoutMs: 456 }',
    after: 'execution: { timeoutMs: 345 }',
    files: { 'tools/endless/index.ts': tool('() => { for (;;); }') },
    see: async (runtime) => /^TIMEOUT .*(456|345)/.exec(String(await outcomeOf(runtime, 'endless')))?.[1],
    seen: ['456', '345'],
  }),
  'execution.environment': async () => ({
    before: 'execution: { environment: { COLOUR: green } }',
    after: 'execution: { environment: { COLOUR: blue } }',
    files: { 'tools/look/index.ts': tool('() => process.env.COLOUR') },
    see: (runtime) => outcomeOf(runtime, 'look'),
    seen: ['green', 'blue'],
  }),
  'network.allowHosts': async () => {
    const address = await pong();
    return {
      before: 'network: { allowHosts: [] }',
      after: `network: { allowHosts: ["${address}"] }`,
      files: { 'tools/ask/index.ts': tool(`async (_input, { fetch }) => (await fetch('http://${address}/')).text()`) },
      see: async (runtime) => (await outcomeOf(runtime, 'ask')) === 'pong',
      seen: [false, true],
    };
  },
};

/** `host:port` of a server on this machine that says pong. */
async function pong(): Promise<string> {
  const server = createServer((_request, response) => response.end('pong'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const address = server.address();
  return typeof address === 'object' && address !== null ? `127.0.0.1:${address.port}` : '';
}

async function startBefore({ before, files = {} }: Change): Promise<[ConfiguredProject, ConfiguredRuntime]> {
  const { environment } = await scriptedProvider([callsForEver('nothing')]);
  const project = await configuredProject({ ...files, [CONFIG]: before });
  return [project, await startConfigured(project, { environment, tools: { nothing } })];
}

describe('a changed configuration', () => {
  it.each(Object.keys(changes))('%s: is a new generation and counts from then on', async (key) => {
    expect(configKeys().map(({ path }) => path)).toContain(key);
    const change = await changes[key]?.();
    if (change === undefined) throw new Error(key);
    const [project, runtime] = await startBefore(change);
    expect(await change.see(runtime)).toEqual(change.seen[0]);
    await project.write({ [CONFIG]: change.after });
    expect(await runtime.reload()).toMatchObject({ status: 'changed', generation: 2, problems: [] });
    expect(await change.see(runtime)).toEqual(change.seen[1]);
    expect(await runtime.reload()).toMatchObject({ status: 'unchanged', generation: 2 });
    expect(runtime.notices).toEqual([]);
  });

  it('does not reach a turn under way', async () => {
    let written: () => void = () => {};
    const writing = new Promise<void>((resolve) => {
      written = resolve;
    });
    const { server, environment } = await scriptedProvider([
      {
        reply: async () => {
          await writing;
          return { calls: [{ name: 'nothing', input: { step: 1 } }] };
        },
      },
      callsForEver('nothing'),
    ]);
    const project = await configuredProject({ [CONFIG]: 'turn: { maxSteps: 2 }' });
    const runtime = await startConfigured(project, { environment, tools: { nothing } });
    // Also where something fails before: closing waits for the turn.
    onTestFinished(() => written());
    const turn = runtime.run({ text: 'go' });
    await server.waitForRequests(1);
    await project.write({ [CONFIG]: 'turn: { maxSteps: 4 }' });
    expect((await runtime.reload()).status).toBe('changed');
    expect(runtime.livingGenerations).toBe(2);
    written();
    expect((await turn.result).steps).toBe(2);
    expect((await runtime.run({ text: 'go' }).result).steps).toBe(4);
    expect(runtime.livingGenerations).toBe(1);
  });

  it.each([
    ['no YAML', 'turn: { maxSteps: 3', []],
    ['an unknown key', 'turn: { maxStep: 3 }', ['maxStep', 'maxSteps']],
    ['an impossible value', 'turn: { maxSteps: many }', ['turn.maxSteps', 'many']],
    ['a provider that does not exist', 'ai: { providers: { opnai: { apiKey: x } } }', ['opnai', 'openai']],
    ['an unknown plugin', 'plugins: { wether: true }', ['wether']],
  ])('with %s is refused and told; the old one serves until it is repaired', async (_what, broken, parts) => {
    const change = await changes['turn.maxSteps']?.();
    if (change === undefined) throw new Error('turn.maxSteps');
    const [project, runtime] = await startBefore(change);
    await project.write({ [CONFIG]: broken });
    const refused = await runtime.reload();
    expect(refused).toMatchObject({ status: 'refused', generation: 1 });
    const problems = refused.status === 'refused' ? refused.problems : [];
    expect(problems.filter(({ fatal }) => fatal)).toHaveLength(1);
    expect(JSON.stringify(problems)).toContain(CONFIG);
    for (const part of parts) expect(JSON.stringify(problems)).toContain(part);
    expect(runtime.lastReload).toEqual(refused);
    expect(await change.see(runtime)).toBe(2);
    await project.write({ [CONFIG]: change.after });
    expect(await runtime.reload()).toMatchObject({ status: 'changed', generation: 2 });
    expect(await change.see(runtime)).toBe(3);
  });

  it('with another state folder asks for a restart, and keeps the old one', async () => {
    const project = await configuredProject({ [CONFIG]: 'state: { folder: one }' });
    const runtime = await startConfigured(project);
    await project.write({ [CONFIG]: 'state: { folder: two }' });
    expect(await runtime.reload()).toMatchObject({ status: 'changed' });
    expect(runtime.notices).toEqual([{ type: 'restart-needed', path: 'state.folder' }]);
    const { id, result } = runtime.run({ text: 'hi' });
    await result;
    expect(await runtime.turn(id)).toMatchObject({ id, status: 'done' });
    expect(existsSync(join(project.root, 'one/baigong.db'))).toBe(true);
    expect(existsSync(join(project.root, 'two/baigong.db'))).toBe(false);
  });

  it('is noticed by a runtime that watches, a broken one too', async () => {
    const project = await configuredProject({ [CONFIG]: 'config: { city: Oslo }' });
    const runtime = await startConfigured(project, { watch: true });
    await project.write({ [CONFIG]: 'config: { city: 北京 }' });
    await expect.poll(() => runtime.notices, { timeout: 20_000 }).toMatchObject([{ status: 'changed', generation: 2 }]);
    await project.write({ [CONFIG]: 'confg: {}' });
    await expect
      .poll(() => runtime.notices.slice(1), { timeout: 20_000 })
      .toMatchObject([{ status: 'refused', generation: 2, problems: [{ code: 'UNKNOWN_KEY' }] }]);
  });
});
