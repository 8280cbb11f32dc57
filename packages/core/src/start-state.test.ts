import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createProject, startScriptedModel } from '@baigong/testing';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createRuntime } from './runtime.ts';
import type { RuntimeOptions } from './runtime-options.ts';

const tool = (answer: string) => `
  import { defineAgentTool } from 'baigong';
  export default defineAgentTool({ description: 'Answers.', requiresApproval: 'never', execute: () => '${answer}' });`;

async function project() {
  const made = await createProject({ 'tools/say/index.ts': tool('one') });
  onTestFinished(() => made.remove());
  return made;
}

/** Starts, asks the tool, and ends. */
async function say(root: string, more: RuntimeOptions = {}): Promise<unknown> {
  const runtime = await createRuntime({ project: root, model: 'offline', ...more });
  try {
    const outcome = await runtime.call('say', {});
    return outcome.status === 'success' ? outcome.result.value : outcome.code;
  } finally {
    await runtime.close();
  }
}

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

it('keeps compiled code for the next start, for its owner only, and believes nothing that is damaged', async () => {
  const { root, write } = await project();
  const pack = join(root, '.baigong/cache/transforms.pack');
  expect(await say(root)).toBe('one');
  expect([await modeOf(join(root, '.baigong')), await modeOf(join(root, '.baigong/cache'))]).toEqual([0o700, 0o700]);
  expect(await modeOf(pack)).toBe(0o600);
  const first = await readFile(pack);
  // What is in it is the code that runs: another answer under the same key would be given.
  expect(first.includes('Answers.')).toBe(true);
  await writeFile(pack, first.subarray(0, first.length - 7));
  expect(await say(root)).toBe('one');
  await writeFile(pack, 'x'.repeat(10_000));
  expect(await say(root)).toBe('one');
  await write({ 'tools/say/index.ts': tool('two') });
  expect(await say(root)).toBe('two');
  await chmod(pack, 0o666);
  expect(await say(root)).toBe('two');
});

it('leaves no folder behind where it only looks', async () => {
  const { root } = await project();
  expect(await say(root, { store: 'memory' })).toBe('one');
  expect(await readdir(root)).toEqual(['tools']);
});

it('lets go of the generation of a turn when the turn has ended', async () => {
  const { root, write } = await project();
  const model = await startScriptedModel({ answers: [{ text: 'hello' }] });
  onTestFinished(() => model.close());
  const environment = { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'scripted' };
  const runtime = await createRuntime({ project: root, store: 'memory', environment });
  onTestFinished(() => runtime.close());
  expect((await runtime.run({ text: 'hi' }).result).status).toBe('done');
  await write({ 'tools/say/index.ts': tool('two') });
  expect(await runtime.reload()).toMatchObject({ status: 'changed', generation: 2 });
  await expect.poll(() => runtime.livingGenerations).toBe(1);
});

it('is not changed by what its user configured for others, unless it opens a project', async () => {
  const { root, write } = await project();
  await write({ '.baigong/config.yml': 'locale: zh' });
  vi.stubEnv('HOME', root);
  onTestFinished(() => void vi.unstubAllEnvs());
  const localeOf = async (options: RuntimeOptions) => {
    const runtime = await createRuntime({ store: 'memory', model: 'offline', environment: {}, ...options });
    await runtime.close();
    return runtime.locale;
  };
  expect(await localeOf({})).toBe('en');
  expect(await localeOf({ project: root })).toBe('zh');
  expect(await localeOf({ home: root })).toBe('zh');
});

it.each<[string, string, string, boolean]>([
  ['for all projects of a user', 'plugins: { weather: { unit: celsius } }', '', true],
  ['switched off', '', 'plugins: { games: false }', true],
  ['by the project itself', '', 'plugins: { games: true }', false],
  ['in both places', 'plugins: { games: {} }', 'plugins: { games: { level: 2 } }', false],
])('a plugin that is not there and is configured %s', async (_where, home, own, isFine) => {
  const { root, write } = await project();
  await write({ 'home/.baigong/config.yml': home || '{}', 'baigong.config.yml': own || '{}' });
  const options = {
    project: root,
    home: join(root, 'home'),
    environment: {},
    store: 'memory',
    model: 'offline',
  } as const;
  const starting = createRuntime(options).then((runtime) => runtime.close());
  if (isFine) await expect(starting).resolves.toBeUndefined();
  else await expect(starting).rejects.toMatchObject({ problems: [{ code: 'UNKNOWN_PLUGIN', field: 'plugins.games' }] });
});

it('tells of a repair that leads back to what serves', async () => {
  const { root, write } = await project();
  const notices: string[] = [];
  const onNotice: RuntimeOptions['onNotice'] = (notice) =>
    void notices.push(notice.type === 'reload' ? notice.status : notice.type);
  const runtime = await createRuntime({ project: root, store: 'memory', model: 'offline', watch: true, onNotice });
  onTestFinished(() => runtime.close());
  await write({ 'tools/say/index.ts': 'export default {' });
  await expect.poll(() => notices, { timeout: 20_000 }).toEqual(['refused']);
  await write({ 'tools/say/index.ts': tool('one') });
  await expect.poll(() => notices, { timeout: 20_000 }).toEqual(['refused', 'unchanged']);
});
