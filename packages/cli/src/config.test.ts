// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the configuration are written so.
import { chmod, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createProject, type TemporaryProject } from '@baigong/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type CliResult, runCli } from './fixtures/run-cli.ts';

const CONFIG = 'baigong.config.yml';

/** A project and a home folder, both fresh, and the command line in them. */
interface Place {
  readonly project: TemporaryProject;
  readonly home: TemporaryProject;
  run(arguments_: readonly string[], environment?: Readonly<Record<string, string>>): Promise<CliResult>;
}

async function place(files: Readonly<Record<string, string>>, ofHome: Readonly<Record<string, string>> = {}) {
  const project = await createProject(files);
  onTestFinished(() => project.remove());
  const home = await createProject(ofHome);
  onTestFinished(() => home.remove());
  for (const path of Object.keys(ofHome)) await chmod(join(home.root, path), 0o600);
  const run: Place['run'] = (arguments_, environment = {}) =>
    runCli(['--project', project.root, ...arguments_], { environment: { HOME: home.root, ...environment } });
  return { project, home, run } satisfies Place;
}

/** The rows of `config show --output json`, by key. */
function rowsOf({ stdout }: CliResult): Readonly<Record<string, unknown>> {
  const rows: readonly { readonly key: string; readonly value: unknown }[] = JSON.parse(stdout);
  return Object.fromEntries(rows.map(({ key, ...row }) => [key, row]));
}

describe('baigong config show', () => {
  it('shows every value, defaults too, one a line', async () => {
    const { run } = await place({ [CONFIG]: 'turn: { maxSteps: 4 }\nconfig: { city: 北京 }' });
    const { code, stdout, stderr } = await run(['config', 'show']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^turn\.maxSteps = 4$/m);
    expect(stdout).toMatch(/^turn\.timeoutMs = 120000$/m);
    expect(stdout).toMatch(/^config\.city = "北京"$/m);
  });

  it('shows one branch, or one key', async () => {
    const { run } = await place({ [CONFIG]: 'turn: { maxSteps: 4 }' });
    const lines = (await run(['config', 'show', 'turn'])).stdout.trim().split('\n');
    expect(lines.map((line) => line.split(' ')[0])).toEqual([
      'turn.maxSteps',
      'turn.timeoutMs',
      'turn.historyTurns',
      'turn.historyChars',
      'turn.parkAfterMs',
    ]);
    expect((await run(['config', 'show', 'turn.maxSteps'])).stdout).toBe('turn.maxSteps = 4\n');
  });

  it('ends with code 2 for a key that does not exist, in the reader’s language', async () => {
    const { run } = await place({});
    const english = await run(['config', 'show', 'trun']);
    expect(english).toMatchObject({ code: 2, stdout: '' });
    expect(english.stderr).toContain('trun');
    const chinese = await run(['--lang', 'zh', 'config', 'show', 'trun']);
    expect(chinese).toMatchObject({ code: 2, stdout: '' });
    expect(chinese.stderr).toMatch(/[\u4e00-\u9fff].*trun|trun.*[\u4e00-\u9fff]/);
  });

  it('says with --origin where each value comes from, on all levels', async () => {
    const { run, project } = await place(
      {
        [CONFIG]: '# first line\nturn:\n  maxSteps: 4\n  historyTurns: 4\n',
        '.env': 'BAIGONG_TURN__HISTORY_CHARS=5000\n',
      },
      { '.baigong/config.yml': 'turn: { maxSteps: 2 }\ntimeZone: Asia/Shanghai\n' },
    );
    const all = [
      '--set',
      'execution.timeoutMs=7000',
      '--model',
      'offline',
      '--lang',
      'en',
      'config',
      'show',
      '--origin',
    ];
    const environment = { BAIGONG_TURN__HISTORY_TURNS: '5', BAIGONG_EXECUTION__TIMEOUT_MS: '6000' };
    expect(rowsOf(await run([...all, '--output', 'json'], environment))).toMatchObject({
      locale: { value: 'en', origin: 'flag', place: '--set locale' },
      timeZone: { value: 'Asia/Shanghai', origin: 'home', place: '~/.baigong/config.yml:2' },
      'ai.model': { value: 'offline', origin: 'flag', place: '--set ai.model' },
      'turn.maxSteps': { value: 4, origin: 'project', place: `${CONFIG}:3` },
      'turn.timeoutMs': { value: 120_000, origin: 'default' },
      'turn.historyTurns': { value: 5, origin: 'environment', place: 'BAIGONG_TURN__HISTORY_TURNS' },
      'turn.historyChars': { value: 5000, origin: 'environment', place: 'BAIGONG_TURN__HISTORY_CHARS (.env)' },
      'execution.timeoutMs': { value: 7000, origin: 'flag', place: '--set execution.timeoutMs' },
      'state.folder': { value: join(project.root, '.baigong'), origin: 'default' },
    });
    const text = (await run(all, environment)).stdout;
    expect(text).toMatch(/^turn\.maxSteps = 4 +# project: baigong\.config\.yml:3$/m);
    expect(text).toMatch(/^turn\.timeoutMs = 120000 +# default$/m);
    expect(text).toMatch(/^timeZone = "Asia\/Shanghai" +# home: ~\/\.baigong\/config\.yml:2$/m);
  });

  it('lets the later of two --set of one key count, and takes lists and quoted names', async () => {
    const { run } = await place({});
    const flags = [
      'turn.maxSteps=3',
      'turn.maxSteps=5',
      'network.allowHosts=a.internal,b.internal',
      'config."a.b"=x=y',
    ];
    const result = await run([...flags.flatMap((flag) => ['--set', flag]), 'config', 'show', '--output', 'json']);
    expect(result.code).toBe(0);
    expect(rowsOf(result)).toMatchObject({
      'turn.maxSteps': { value: 5 },
      'network.allowHosts': { value: ['a.internal', 'b.internal'] },
      'config."a.b"': { value: 'x=y' },
    });
  });

  it('looks at the configuration only: no code runs, nothing is written', async () => {
    const { run, project, home } = await place({ 'tools/broken/index.ts': 'export default {{{' });
    expect((await run(['config', 'show'])).code).toBe(0);
    expect(await readdir(project.root)).toEqual(['tools']);
    expect(await readdir(home.root)).toEqual([]);
  });
});

describe('a faulty configuration', () => {
  it.each([
    ['an unknown key', ['--set', 'turn.maxStep=3'], {}, ['turn.maxStep', 'turn.maxSteps']],
    ['an impossible value', ['--set', 'turn.maxSteps=many'], {}, ['turn.maxSteps', 'many']],
    ['a variable', [], { BAIGONG_LOCALE: 'fr' }, ['BAIGONG_LOCALE', 'fr', 'en']],
    ['a name of the prototype', ['--set', '__proto__.x=1'], {}, ['__proto__']],
  ])('%s is told with the place, and ends with code 3', async (_what, flags, environment, parts) => {
    const { run } = await place({});
    for (const command of [
      ['config', 'show'],
      ['tools', 'list'],
    ]) {
      const { code, stdout, stderr } = await run([...flags, ...command], environment);
      expect([command, code]).toEqual([command, 3]);
      for (const part of parts) expect(stdout + stderr).toContain(part);
      expect(stderr).not.toContain('fault of its own');
    }
  });

  it('is told whole, in Chinese where wanted, and what is right is shown beside it', async () => {
    const { run } = await place({
      [CONFIG]: 'turn:\n  maxSteps: 0\n  historyTurns: 9\n',
      '.env': 'BAIGONG_TURN__MAX_STEP=4\n',
    });
    const { code, stdout, stderr } = await run(['--lang', 'zh', 'config', 'show', 'turn']);
    expect(code).toBe(3);
    expect(stdout).toContain('turn.historyTurns = 9');
    expect(stdout).toContain('turn.maxSteps = 15');
    expect(stderr).toMatch(/^错误 baigong\.config\.yml:2/m);
    expect(stderr).toMatch(/^警告 BAIGONG_TURN__MAX_STEP /m);
    expect(stderr).toContain('BAIGONG_TURN__MAX_STEPS');
  });

  it('with warnings only is no failure', async () => {
    const { run } = await place({ [CONFIG]: 'ai: { agent: { systemPromptMaxChars: 5 } }' });
    const { code, stderr } = await run(['config', 'show']);
    expect(code).toBe(0);
    expect(stderr).toContain('ai.agent.systemPromptMaxChars');
  });

  it('says key=value where --set has none', async () => {
    const { run } = await place({});
    const { code, stderr } = await run(['--set', 'turn.maxSteps', 'config', 'show']);
    expect(code).toBe(2);
    expect(stderr).toContain('key=value');
  });
});

describe('a secret', () => {
  const SECRETS = ['key-of-a-variable-1', 'key-of-dotenv-22', 'key-of-a-file-333', 'key-written-down-4444', '8675309'];
  const files = {
    [CONFIG]: [
      'ai:',
      '  providers:',
      '    openai: { apiKey: "${VARIABLE_KEY}" }',
      '    deepseek: { apiKey: key-written-down-4444 }',
      'plugins:',
      '  weather: { token: { file: secret.txt }, unit: celsius }',
      'config:',
      '  greeting: "before ${DOTENV_KEY} after"',
      '  pin: "${PIN}"',
      '',
    ].join('\n'),
    '.env': 'DOTENV_KEY=key-of-dotenv-22\n',
    'secret.txt': 'key-of-a-file-333\n',
    'plugins/weather/tools/look/index.ts': `
      import { defineAgentTool } from 'baigong';
      export default defineAgentTool({ description: 'Looks.', requiresApproval: 'never', execute: () => 1 });`,
  };
  const environment = { VARIABLE_KEY: 'key-of-a-variable-1', PIN: '8675309' };

  it.each([
    [['config', 'show']],
    [['config', 'show', '--origin']],
    [['config', 'show', '--output', 'json']],
    [['config', 'show', 'ai.providers']],
    [['config', 'show', 'config.greeting', '--origin', '--output', 'json']],
    [['doctor']],
    [['doctor', '--output', 'json']],
    [['tools', 'list', '--output', 'json']],
  ])('is never printed: %j', async (command) => {
    const { run } = await place(files);
    const { code, stdout, stderr } = await run(command, environment);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const secret of SECRETS) expect(stdout).not.toContain(secret);
  });

  it('is shown as masked, and what is none as it is', async () => {
    const { run } = await place(files);
    const { stdout } = await run(['config', 'show', '--origin'], environment);
    expect(stdout).toMatch(/^ai\.providers\.openai\.apiKey = "••••" +# project: baigong\.config\.yml:3$/m);
    expect(stdout).toMatch(/^ai\.providers\.deepseek\.apiKey = "••••"/m);
    expect(stdout).toMatch(/^plugins\.weather\.token = "••••"/m);
    expect(stdout).toMatch(/^plugins\.weather\.unit = "celsius"/m);
    expect(stdout).toMatch(/^config\.greeting = "[^"]*••••[^"]*"/m);
  });

  it.each<[string, Record<string, string>, string[]]>([
    ['the name of a package', { [CONFIG]: 'plugins: ["${VARIABLE_KEY}"]' }, ['doctor']],
    ['the name of a trusted package', { [CONFIG]: 'trusted: ["${VARIABLE_KEY}"]' }, ['doctor']],
    ['the name of a model', { [CONFIG]: 'ai: { model: "nope/${VARIABLE_KEY}" }' }, ['-p', 'hello']],
    ['the folder of the state', { [CONFIG]: 'state: { folder: "${VARIABLE_KEY}" }' }, ['doctor']],
    [
      'what a setup throws',
      {
        [CONFIG]: 'plugins: { weather: { token: "${VARIABLE_KEY}" } }',
        'plugins/weather/plugin.ts': `import { definePlugin } from 'baigong';
          export default definePlugin({
            name: 'weather', setup: ({ config }) => { throw new Error(JSON.stringify(config.get())); },
          });`,
      },
      ['doctor'],
    ],
    [
      'what a schema says of it',
      {
        [CONFIG]: 'plugins: { weather: { token: "${VARIABLE_KEY}" } }',
        'plugins/weather/plugin.ts': `import { definePlugin } from 'baigong';
          import { z } from 'zod';
          const token = z.string().refine(() => false, { error: (issue) => 'bad ' + String(issue.input) });
          export default definePlugin({ name: 'weather', config: z.object({ token }) });`,
      },
      ['doctor', '--output', 'json'],
    ],
  ])('is not printed where it is %s', async (_what, more, command) => {
    const { run } = await place(more);
    const { stdout, stderr } = await run(command, environment);
    expect(stdout + stderr).toContain('••••');
    expect(stdout + stderr).not.toContain('key-of-a-variable-1');
  });

  it.each([
    ['by a reference', 'turn: { maxSteps: "${VARIABLE_KEY}" }', []],
    ['by a reference in a list', 'network: { allowHosts: ["http://${VARIABLE_KEY}"] }', []],
    ['a key that is none', 'ai: { providers: { openai: { apiKey: [key-of-a-variable-1] } } }', []],
    ['a flag', '{}', ['--set', 'ai.providers.openai.apiKey=["key-of-a-variable-1"]', '--set', 'turn.maxSteps=0']],
  ])('that does not fit where it stands is not printed with the fault: %s', async (_what, yml, flags) => {
    const { run } = await place({ [CONFIG]: yml });
    for (const command of [
      ['config', 'show'],
      ['doctor', '--output', 'json'],
    ]) {
      const { code, stdout, stderr } = await run([...flags, ...command], environment);
      expect(code).toBe(3);
      expect(stdout + stderr).not.toContain('key-of-a-variable-1');
    }
  });

  it('that is missing is named, not guessed', async () => {
    const { run } = await place({ [CONFIG]: 'config: { token: "${NOT_THERE}" }' });
    const { code, stderr } = await run(['config', 'show']);
    expect(code).toBe(3);
    expect(stderr).toContain('NOT_THERE');
  });
});

describe('BAIGONG_HOME', () => {
  it('is where the state is, and nothing is anywhere else', async () => {
    const { run, project, home } = await place({ [CONFIG]: 'ai: { model: offline }' });
    const state = await createProject();
    onTestFinished(() => state.remove());
    const folder = join(state.root, 'deep/state');
    const environment = { BAIGONG_HOME: folder };
    expect(await run(['doctor'], environment)).toMatchObject({ code: 0, stdout: expect.stringContaining(folder) });
    expect(await readdir(state.root)).toEqual([]);

    expect((await run(['--session', 'here', '-p', 'hi'], environment)).code).toBe(0);
    expect(await readdir(folder)).toContain('baigong.db');
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(await readdir(project.root)).toEqual([CONFIG]);
    expect(await readdir(home.root)).toEqual([]);

    const there = JSON.parse((await run(['turns', 'list', '--output', 'json'], environment)).stdout);
    expect(there).toMatchObject([{ status: 'done' }]);
    expect(await run(['turns', 'list'])).toMatchObject({ code: 0, stdout: '' });
    const doctor = await run(['doctor'], environment);
    expect(doctor.stdout).toContain(join(folder, 'baigong.db'));
  });

  it('counts from the project when it is relative, from the process and from .env', async () => {
    const { run, project } = await place({ '.env': 'BAIGONG_HOME=from-dotenv\n', [CONFIG]: 'ai: { model: offline }' });
    expect((await run(['-p', 'hi'])).code).toBe(0);
    expect((await run(['-p', 'hi'], { BAIGONG_HOME: 'from-process' })).code).toBe(0);
    expect((await readdir(project.root)).sort()).toEqual(['.env', CONFIG, 'from-dotenv', 'from-process']);
    for (const name of ['from-dotenv', 'from-process']) {
      expect(await readdir(join(project.root, name))).toContain('baigong.db');
    }
  });
});

describe('what the configuration says', () => {
  it('of language and time zone, doctor says', async () => {
    const { run } = await place({ [CONFIG]: 'locale: zh\ntimeZone: Pacific/Kiritimati' });
    const { checks } = JSON.parse((await run(['doctor', '--output', 'json'])).stdout);
    expect(checks).toContainEqual({ name: 'locale', ok: true, detail: 'zh, Pacific/Kiritimati' });
  });

  it('counts for a chat: the model of --set, of the variable and of the home file answers', async () => {
    const { run } = await place({}, { '.baigong/config.yml': 'ai: { model: nowhere-home/x }' });
    const refused = async (flags: readonly string[], environment: Readonly<Record<string, string>> = {}) => {
      const { code, stderr } = await run([...flags, '-p', 'hi'], environment);
      return [code, /nowhere-\w+/.exec(stderr)?.[0]];
    };
    const environment = { BAIGONG_MODEL: 'nowhere-variable/x' };
    expect(await refused([])).toEqual([4, 'nowhere-home']);
    expect(await refused([], environment)).toEqual([4, 'nowhere-variable']);
    expect(await refused(['--model', 'nowhere-flag/x'], environment)).toEqual([4, 'nowhere-flag']);
    expect(await refused(['--set', 'ai.model=nowhere-set/x'], environment)).toEqual([4, 'nowhere-set']);
  });
});
