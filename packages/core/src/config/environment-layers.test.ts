// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the configuration are written so.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadProject } from './fixtures/load-project.ts';
import { said } from './fixtures/said.ts';

const YML = 'root/baigong.config.yml';

describe('environment', () => {
  it('sets scalars and lists, by rule and by documented name', async () => {
    const { settings, problems, origins, root } = await loadProject(
      {},
      {
        environment: {
          BAIGONG_LOCALE: 'zh',
          BAIGONG_TIME_ZONE: 'Asia/Shanghai',
          BAIGONG_MODEL: 'deepseek/x',
          BAIGONG_AI__MODEL: 'loses/against-the-documented-one',
          BAIGONG_RELOAD__WATCH: 'false',
          BAIGONG_RELOAD__QUIET_MS: '7',
          BAIGONG_NETWORK__ALLOW_HOSTS: 'a.internal, 10.0.0.1:8080,',
          BAIGONG_PLUGINS: 'weather,maps',
          BAIGONG_HOME: 'state',
          BAIGONG_TURN__MAX_STEPS: '',
          BAIGONG_TEST_SECRET: 'x',
          OTHER: 'y',
        },
      },
    );
    expect(problems).toEqual([]);
    expect(settings).toMatchObject({
      locale: 'zh',
      timeZone: 'Asia/Shanghai',
      ai: { model: 'deepseek/x' },
      reload: { watch: false, quietMs: 7 },
      network: { allowHosts: ['a.internal', '10.0.0.1:8080'] },
      plugins: { weather: true, maps: true },
      state: { folder: join(root, 'state') },
      turn: { maxSteps: 15 },
    });
    expect(origins.get('ai.model')).toEqual({ level: 'environment', place: 'BAIGONG_MODEL' });
  });

  it('reports a variable that does not fit, and falls back', async () => {
    const { problems, settings } = await loadProject(
      { [YML]: 'turn: { maxSteps: 3 }' },
      { environment: { BAIGONG_TURN__MAX_STEPS: 'many', BAIGONG_LOCALE: 'fr' } },
    );
    expect(problems.map(({ code, file, field, found }) => [code, file, field, found])).toEqual([
      ['INVALID_VALUE', 'BAIGONG_LOCALE', 'locale', '"fr"'],
      ['INVALID_VALUE', 'BAIGONG_TURN__MAX_STEPS', 'turn.maxSteps', '"many"'],
    ]);
    expect(settings.turn.maxSteps).toBe(3);
  });

  it('warns about unknown variables without their values', async () => {
    const { problems } = await loadProject(
      {},
      { environment: { BAIGONG_TURN_MAX_STEPS: 'v-123', BAIGONG_QQQQQQQ: 'w-123' } },
    );
    expect(problems.map(({ code, field, expected, fatal }) => [code, field, expected, fatal])).toEqual([
      ['UNKNOWN_VARIABLE', 'BAIGONG_TURN_MAX_STEPS', 'BAIGONG_TURN__MAX_STEPS', false],
      ['UNKNOWN_VARIABLE', 'BAIGONG_QQQQQQQ', undefined, false],
    ]);
    expect(said(problems)).not.toMatch(/[vw]-123/);
  });

  it('lays the process over .env', async () => {
    const { environment, settings, origins } = await loadProject(
      {
        'root/.env':
          '\uFEFFA=file\nB="two words"\nBAIGONG_TURN__MAX_STEPS=6\nBAIGONG_TURN__TIMEOUT_MS=6\n__proto__=x\n',
      },
      { environment: { A: 'process', BAIGONG_TURN__TIMEOUT_MS: '5', GONE: undefined } },
    );
    expect(environment).toMatchObject({ A: 'process', B: 'two words' });
    expect(Object.hasOwn(environment, 'GONE')).toBe(false);
    expect(settings.turn).toMatchObject({ maxSteps: 6, timeoutMs: 5 });
    expect(origins.get('turn.maxSteps')).toEqual({ level: 'environment', place: 'BAIGONG_TURN__MAX_STEPS (.env)' });
    expect(origins.get('turn.timeoutMs')?.place).toBe('BAIGONG_TURN__TIMEOUT_MS');
  });

  it('lets a folder named .env be', async () => {
    expect((await loadProject({ 'root/.env/bin/python': '' })).problems).toEqual([]);
  });
});

describe('flags', () => {
  it.each([
    ['turn.maxSteps', '3', { turn: { maxSteps: 3 } }],
    ['reload.watch', 'false', { reload: { watch: false } }],
    ['ai.model', '123', { ai: { model: '123' } }],
    ['trusted', '["a","b"]', { trusted: ['a', 'b'] }],
    ['trusted', 'a,b', { trusted: ['a', 'b'] }],
    ['config.limit', '5', { config: { limit: 5 } }],
    ['config.name', 'five', { config: { name: 'five' } }],
    ['turn', '{"maxSteps":3}', { turn: { maxSteps: 3 } }],
    ['ai.providers.openai.apiKey', 'null', { ai: { providers: { openai: { apiKey: 'null' } } } }],
    ['config.text', '${HOME}', { config: { text: '${HOME}' } }],
  ])('--set %s=%s', async (key, value, expected) => {
    const { settings, problems } = await loadProject({}, { flags: new Map([[key, value]]) });
    expect(problems).toEqual([]);
    expect(settings).toMatchObject(expected);
  });

  it.each([
    ['turn.maxStep', '3', 'UNKNOWN_KEY', 'turn.maxSteps'],
    ['a..b', '3', 'UNKNOWN_KEY', 'key.path=value'],
    ['', '3', 'UNKNOWN_KEY', 'key.path=value'],
    ['turn.maxSteps', 'many', 'INVALID_VALUE', 'integer ≥ 1'],
    ['turn.maxSteps.x', '1', 'INVALID_VALUE', 'integer ≥ 1'],
  ])('--set %s=%s is refused', async (key, value, code, expected) => {
    const { problems } = await loadProject({}, { flags: new Map([[key, value]]) });
    expect(problems).toMatchObject([{ code, expected, file: `--set ${key}` }]);
  });
});
