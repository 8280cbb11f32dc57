// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the configuration are written so.
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { configSchema } from '../contracts/config-schema.ts';
import { loadProject } from './fixtures/load-project.ts';
import { loadConfig } from './load-config.ts';

const YML = 'root/baigong.config.yml';

describe('loadConfig without anything', () => {
  it('gives the defaults, complete and frozen', async () => {
    const { settings, problems, origins, root } = await loadProject({});
    expect(problems).toEqual([]);
    expect(settings).toEqual({
      ai: {
        providers: {},
        mcpServers: {},
        agents: {},
        agent: {
          systemPromptMaxChars: 100_000,
          deferredTools: {
            maxLoadedPerSession: 12,
            discoverTopK: 5,
            alwaysLoadedTools: ['ask_user', 'spawn_task', 'discover', 'load_tool', 'load_skill'],
            alwaysLoadedMode: 'extend',
            mcpServers: {},
          },
        },
      },
      turn: { maxSteps: 15, timeoutMs: 120_000, historyTurns: 50, historyChars: 400_000, parkAfterMs: 120_000 },
      approval: {
        mode: 'approve',
        unattended: 'refuse',
        approvers: ['role(master)'],
        ownerSkips: false,
        timeoutMs: 300_000,
        answerByMs: 604_800_000,
        useByMs: 86_400_000,
        dangerousUseByMs: 900_000,
      },
      record: { enabled: true },
      execution: { timeoutMs: 10_000, maxOutputChars: 50_000, maxChildren: 4, environment: {} },
      session: { idleMs: 86_400_000, overlap: 'fifo' },
      state: { folder: join(root, '.baigong'), durability: 'full', retentionMs: 604_800_000 },
      reload: { watch: true, quietMs: 50 },
      network: { allowHosts: [], allowFakeIp: false },
      plugins: {},
      trusted: [],
      config: {},
    });
    expect(Object.isFrozen(settings.ai.agent.deferredTools.alwaysLoadedTools)).toBe(true);
    const { deferredTools } = configSchema.properties.ai.properties.agent.properties;
    expect(Object.isFrozen(deferredTools.properties.alwaysLoadedTools.default)).toBe(false);
    expect(origins.get('turn.maxSteps')).toEqual({ level: 'default' });
    expect(origins.get('plugins')).toEqual({ level: 'default' });
  });

  it('works without a project', async () => {
    const home = await mkdtemp(join(tmpdir(), 'baigong-home-'));
    onTestFinished(() => rm(home, { recursive: true, force: true }));
    const { settings, files } = await loadConfig({ home, environment: {}, signal: new AbortController().signal });
    expect(settings.state.folder).toBe('.baigong');
    expect(files).toEqual(['json', 'yaml', 'yml'].map((end) => join(home, '.baigong', `config.${end}`)));
  });

  it('leaves the home of the user alone where it is to', async () => {
    const { root, home } = await loadProject({ 'home/.baigong/config.yml': 'turn: { maxSteps: 3 }' });
    const given = { root, environment: {}, signal: new AbortController().signal };
    expect((await loadConfig({ ...given, home })).settings.turn.maxSteps).toBe(3);
    const without = await loadConfig({ ...given, home: false });
    expect(without.settings.turn.maxSteps).toBe(15);
    expect(without.files.filter((file) => file.startsWith(home))).toEqual([]);
  });

  it('rejects when it is aborted', async () => {
    const signal = AbortSignal.abort(new Error('stop'));
    await expect(loadConfig({ environment: {}, signal })).rejects.toThrow('stop');
  });
});

describe('precedence', () => {
  const home = { 'home/.baigong/config.yml': 'turn: { maxSteps: 1, timeoutMs: 1, historyTurns: 1 }\nlocale: zh\n' };
  const project = { [YML]: '\nturn:\n  maxSteps: 2\n  timeoutMs: 2\n' };
  const code = { turn: { maxSteps: 3 } };
  const environment = { BAIGONG_TURN__MAX_STEPS: '4' };
  const flags = new Map([['turn.maxSteps', '5']]);

  it.each([
    ['default', {}, {}, 15, undefined],
    ['home', home, {}, 1, '~/.baigong/config.yml:1'],
    ['project', { ...home, ...project }, {}, 2, 'baigong.config.yml:3'],
    ['code', { ...home, ...project }, { code }, 3, undefined],
    ['environment', { ...home, ...project }, { code, environment }, 4, 'BAIGONG_TURN__MAX_STEPS'],
    ['flag', { ...home, ...project }, { code, environment, flags }, 5, '--set turn.maxSteps'],
  ])('%s', async (level, files, options, maxSteps, place) => {
    const { settings, origins, problems } = await loadProject(files as Record<string, string>, options);
    expect(problems).toEqual([]);
    expect(settings.turn.maxSteps).toBe(maxSteps);
    expect(origins.get('turn.maxSteps')).toEqual(place === undefined ? { level } : { level, place });
  });

  it('counts per key, merges objects, replaces lists', async () => {
    const { settings, origins } = await loadProject({
      'home/.baigong/config.yml': 'config: { a: { x: 1, y: [1, 2] } }\ntrusted: [one, two]\nlocale: zh\n',
      [YML]: 'config: { a: { y: [3], z: true } }\ntrusted: [three]\n',
    });
    expect(settings.config).toEqual({ a: { x: 1, y: [3], z: true } });
    expect(settings.trusted).toEqual(['three']);
    expect(settings.locale).toBe('zh');
    expect(origins.get('config.a.x')?.level).toBe('home');
    expect(origins.get('config.a.y')?.level).toBe('project');
  });
});

describe('files', () => {
  it.each([
    ['json', '\uFEFF{ "turn": { "maxSteps": 7 } }'],
    ['yml', 'turn:\n  maxSteps: 7\n'],
    ['yaml', 'turn: { maxSteps: 7 }'],
    [
      'ts',
      "import { defineConfig } from 'baigong';\nconst steps: number = 7;\nexport default defineConfig({ turn: { maxSteps: steps } });",
    ],
    ['mts', 'export default { turn: { maxSteps: 7 as number } };'],
    ['js', 'export default { turn: { maxSteps: 7, timeoutMs: undefined } };'],
    ['mjs', 'export default { turn: { maxSteps: 7 } };'],
    ['cjs', 'module.exports = { turn: { maxSteps: 7 } };'],
  ])('reads baigong.config.%s', async (end, content) => {
    const { settings, problems, files, root } = await loadProject({ [`root/baigong.config.${end}`]: content });
    expect(problems).toEqual([]);
    expect(settings.turn.maxSteps).toBe(7);
    expect(files).toContain(join(root, `baigong.config.${end}`));
  });

  it.each(['json', 'yml', 'yaml'])('reads ~/.baigong/config.%s', async (end) => {
    const { settings } = await loadProject({ [`home/.baigong/config.${end}`]: '{ "turn": { "maxSteps": 7 } }' });
    expect(settings.turn.maxSteps).toBe(7);
  });

  it('names all candidates, imported files and files referred to as what to watch', async () => {
    const { files, settings, root, home } = await loadProject({
      'root/baigong.config.ts':
        "import { steps } from './settings/steps.ts';\nexport default { turn: { maxSteps: steps }, config: { key: { file: 'key.txt' } } };",
      'root/settings/steps.ts': 'export const steps = 9;',
      'root/key.txt': 'abc\n',
    });
    expect(settings.turn.maxSteps).toBe(9);
    for (const name of ['.env', 'baigong.config.yaml', 'baigong.config.ts', 'settings/steps.ts', 'key.txt']) {
      expect(files).toContain(join(root, name));
    }
    expect(files).toContain(join(home, '.baigong/config.yml'));
  });

  it('reports several files, and checks the first', async () => {
    const { problems, settings } = await loadProject({
      'root/baigong.config.json': '{"turn":{"maxSteps":3}}',
      [YML]: 'turn: { maxSteps: 4 }',
    });
    expect(problems).toMatchObject([
      { code: 'SEVERAL_FILES', found: 'baigong.config.json, baigong.config.yml', fatal: true },
    ]);
    expect(settings.turn.maxSteps).toBe(3);
  });

  it.each(['', '# nothing yet\n', '---\n'])('takes an empty YAML file (%j) as saying nothing', async (content) => {
    const { problems, settings } = await loadProject({ [YML]: content });
    expect(problems).toEqual([]);
    expect(settings.turn.maxSteps).toBe(15);
  });

  it('reports a folder in place of a file', async () => {
    const { problems } = await loadProject({ 'root/baigong.config.yml/x': '' });
    expect(problems).toMatchObject([{ code: 'UNREADABLE_FILE', file: 'baigong.config.yml', found: 'EINVAL' }]);
  });

  it('reads a link to a file elsewhere', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'baigong-config-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await mkdir(join(folder, 'root'));
    await writeFile(join(folder, 'shared.yml'), 'turn: { maxSteps: 6 }');
    await symlink(join(folder, 'shared.yml'), join(folder, 'root/baigong.config.yml'));
    const signal = new AbortController().signal;
    const { settings } = await loadConfig({ root: join(folder, 'root'), home: folder, environment: {}, signal });
    expect(settings.turn.maxSteps).toBe(6);
  });
});

describe('plugins', () => {
  it.each([
    ['plugins: [weather, "@zhin.js/maps"]', { weather: true, '@zhin.js/maps': true }],
    [
      'plugins: { weather: true, maps: false, "@a/b": { unit: c } }',
      { weather: true, maps: false, '@a/b': { unit: 'c' } },
    ],
  ])('%s', async (content, plugins) => {
    const { settings, problems } = await loadProject({ [YML]: content });
    expect(problems).toEqual([]);
    expect(settings.plugins).toEqual(plugins);
  });

  it('keeps the configuration of a plugin that a higher level only switches on', async () => {
    const { settings, origins } = await loadProject(
      { 'home/.baigong/config.yml': 'plugins: { weather: { unit: c }, maps: { a: 1 } }', [YML]: 'plugins: [weather]' },
      {
        flags: new Map([
          ['plugins.maps', 'false'],
          ['plugins."@a/b.c".deep', '{"x":1}'],
        ]),
      },
    );
    expect(settings.plugins).toEqual({ weather: { unit: 'c' }, maps: false, '@a/b.c': { deep: { x: 1 } } });
    expect(origins.get('plugins.maps')?.level).toBe('flag');
    expect(origins.get('plugins."@a/b.c".deep.x')?.level).toBe('flag');
  });
});

describe('folder of the state', () => {
  it.each([
    ['home file', { 'home/.baigong/config.yml': 'state: { folder: data }' }, {}, 'home/.baigong/data'],
    ['project file', { [YML]: 'state: { folder: ../data }' }, {}, 'data'],
    ['variable', {}, { environment: { BAIGONG_HOME: 'data' } }, 'root/data'],
    ['flag', {}, { flags: new Map([['state.folder', 'data']]) }, 'root/data'],
    ['code', {}, { code: { state: { folder: 'data' } } }, 'root/data'],
    ['absolute', { [YML]: 'state: { folder: /data }' }, {}, undefined],
  ])('counts from its own place: %s', async (_what, files, options, expected) => {
    const { settings, folder } = await loadProject(files as Record<string, string>, options);
    expect(settings.state.folder).toBe(expected === undefined ? '/data' : join(folder, expected));
  });
});

it('hands the evaluation of code to whoever wants it', async () => {
  const asked: string[] = [];
  const { settings } = await loadProject(
    { 'root/baigong.config.ts': 'throw new Error("not here");' },
    {
      evaluate: async (graph, entry) => {
        asked.push(entry, await readFile(join(graph.root, entry), 'utf8'));
        return { default: { turn: { maxSteps: 4 } } };
      },
    },
  );
  expect(asked).toEqual(['baigong.config.ts', 'throw new Error("not here");']);
  expect(settings.turn.maxSteps).toBe(4);
});
