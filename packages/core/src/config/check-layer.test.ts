// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the configuration are written so.
import { describe, expect, it } from 'vitest';
import { loadProject } from './fixtures/load-project.ts';
import { codes } from './fixtures/problem-codes.ts';
import { said } from './fixtures/said.ts';

const YML = 'root/baigong.config.yml';

describe('values', () => {
  it.each([
    ['turn: { maxSteps: 0 }', 'INVALID_VALUE turn.maxSteps', '0', 'integer ≥ 1'],
    ['turn: { maxSteps: 1.5 }', 'INVALID_VALUE turn.maxSteps', '1.5', 'integer ≥ 1'],
    ['turn: { timeoutMs: 2147483648 }', 'INVALID_VALUE turn.timeoutMs', '2147483648', 'integer 1 … 2147483647'],
    ['turn: { maxSteps: "3" }', 'INVALID_VALUE turn.maxSteps', '"3"', 'integer ≥ 1'],
    ['turn: { maxSteps: .nan }', 'NOT_JSON turn.maxSteps', 'NaN', undefined],
    ['turn: { maxSteps: 2001-01-01 }', 'INVALID_VALUE turn.maxSteps', '"2001-01-01"', 'integer ≥ 1'],
    ['turn: 5', 'INVALID_VALUE turn', '5', '{ maxSteps, timeoutMs, historyTurns, historyChars, parkAfterMs }'],
    ['locale: fr', 'INVALID_VALUE locale', '"fr"', '"en" | "zh"'],
    ['timeZone: Asia/Shanghay', 'INVALID_VALUE timeZone', '"Asia/Shanghay"', 'Area/City (IANA)'],
    ['timeZone: "+08:00"', 'INVALID_VALUE timeZone', '"+08:00"', 'Area/City (IANA)'],
    [
      'network: { allowHosts: [a.internal, "http://x"] }',
      'INVALID_VALUE network.allowHosts[1]',
      '"http://x"',
      'host | host:port',
    ],
    ['plugins: 5', 'INVALID_VALUE plugins', 'number', 'string[] | { name: boolean | { … } }'],
    ['plugins: [weather, 5]', 'INVALID_VALUE plugins[1]', 'number', 'string (length ≥ 1)'],
    ['plugins: { weather: abc }', 'INVALID_VALUE plugins.weather', 'string', 'true | false | { name: … }'],
    [
      'ai: { providers: { openai: { apiKey: 5 } } }',
      'INVALID_VALUE ai.providers.openai.apiKey',
      'number',
      'string (length ≥ 1)',
    ],
    ['ai: { providers: sk-123456789 }', 'INVALID_VALUE ai.providers', 'string', '{ name: … }'],
    [
      'ai: { providers: { openai: { baseUrl: ftp://x } } }',
      'INVALID_VALUE ai.providers.openai.baseUrl',
      '"ftp://x"',
      'http(s)://…',
    ],
    [
      'execution: { environment: { "A-B": x } }',
      'INVALID_NAME execution.environment.A-B',
      undefined,
      '^[A-Za-z_][A-Za-z0-9_]*$',
    ],
    ['execution: { environment: { TOKEN: 5 } }', 'INVALID_VALUE execution.environment.TOKEN', 'number', 'string'],
    ['[1, 2]', 'INVALID_VALUE $', 'list', '{ key: value }'],
    ['abc', 'INVALID_VALUE $', 'string', '{ key: value }'],
    ['config: { id: 12345678901234567890 }', 'NOT_JSON config.id', '|integer| > 2^53 − 1', undefined],
  ])('%s', async (content, code, found, expected) => {
    const { problems, settings } = await loadProject({ [YML]: content });
    expect(codes(problems)).toEqual([code]);
    expect(problems[0]).toMatchObject({ ...(found === undefined ? {} : { found }), fatal: true });
    expect(problems[0]?.expected).toBe(expected);
    expect(problems[0]?.file).toMatch(/^baigong\.config\.yml/);
    expect(settings.turn).toEqual({
      maxSteps: 15,
      timeoutMs: 120_000,
      historyTurns: 50,
      historyChars: 400_000,
      parkAfterMs: 120_000,
    });
  });

  it.each([
    ['maxSteps: 3', 'maxSteps', 'turn.maxSteps'],
    ['turn: { maxStep: 3 }', 'turn.maxStep', 'turn.maxSteps'],
    ['turn: { maxChildren: 3 }', 'turn.maxChildren', 'execution.maxChildren'],
    ['"turn.maxSteps": 3', '"turn.maxSteps"', 'turn.maxSteps'],
    ['timeoutMs: 3', 'timeoutMs', 'turn.timeoutMs | approval.timeoutMs | execution.timeoutMs'],
    ['deferredTools: {}', 'deferredTools', 'ai.agent.deferredTools'],
    [
      'ai: { providers: { openai: { apikey: sk-123456789 } } }',
      'ai.providers.openai.apikey',
      'ai.providers.openai.apiKey',
    ],
    ['plugin: [a]', 'plugin', 'plugins'],
    ['zzzzzz: 1', 'zzzzzz', undefined],
    ['__proto__: { maxSteps: 1 }', '__proto__', undefined],
    ['constructor: 1', 'constructor', undefined],
    ['turn: { toString: 1 }', 'turn.toString', undefined],
  ])('unknown key: %s', async (content, field, expected) => {
    const { problems } = await loadProject({ [YML]: content });
    expect(codes(problems)).toEqual([`UNKNOWN_KEY ${field}`]);
    expect(problems[0]?.expected).toBe(expected);
    expect(said(problems)).not.toContain('sk-123');
  });

  it('reports everything at once, with places, and falls back key by key', async () => {
    const { problems, settings, origins } = await loadProject({
      'home/.baigong/config.yml': 'turn: { maxSteps: 8, timeoutMs: 99 }\nfoo: 1\n',
      [YML]: 'turn:\n  maxSteps: no\n  timeoutMs: 77\nlocal: en\nexecution:\n  maxChildren: 65\n',
    });
    expect(problems.map(({ file, field }) => `${file} ${field}`).sort()).toEqual([
      'baigong.config.yml:2:3 turn.maxSteps',
      'baigong.config.yml:4:1 local',
      'baigong.config.yml:6:3 execution.maxChildren',
      '~/.baigong/config.yml:2:1 foo',
    ]);
    expect(settings.turn).toMatchObject({ maxSteps: 8, timeoutMs: 77 });
    expect(origins.get('turn.maxSteps')?.level).toBe('home');
  });

  it('names every value of a TypeScript file that is no JSON', async () => {
    const { problems, settings } = await loadProject({
      'root/baigong.config.ts': `export default {
        config: { f: () => 1, at: new Date(0), map: new Map(), list: [1, undefined], n: 1n, ok: 'yes', get bad() { throw 1; } },
        turn: { maxSteps: NaN },
      };`,
    });
    expect(codes(problems).toSorted()).toEqual(
      ['config.f', 'config.at', 'config.map', 'config.list[1]', 'config.n', 'config.bad', 'turn.maxSteps']
        .map((key) => `NOT_JSON ${key}`)
        .sort(),
    );
    expect(settings.config).toEqual({ ok: 'yes' });
  });

  it('bounds depth and number of values', async () => {
    const deep = await loadProject({ [YML]: `config: ${'[a, '.repeat(120)}x${']'.repeat(120)}` });
    expect(codes(deep.problems).some((one) => one.startsWith('NOT_JSON config'))).toBe(true);
    const many = await loadProject({ 'root/baigong.config.json': `{"config":{"a":[${'1,'.repeat(100_001)}1]}}` });
    expect(codes(many.problems)).toEqual(['TOO_LARGE $']);
  });

  it('warns about keys without effect, at their place', async () => {
    const { problems, settings } = await loadProject({
      [YML]: 'ai:\n  agent:\n    deferredTools: { discoverTopK: 7 }\n  agents: { helper: {} }\n',
    });
    expect(problems.map(({ code, field, file, fatal }) => [code, field, file, fatal])).toEqual([
      ['NO_EFFECT_YET', 'ai.agents', 'baigong.config.yml:4:3', false],
      ['NO_EFFECT_YET', 'ai.agent.deferredTools.discoverTopK', 'baigong.config.yml:3:22', false],
    ]);
    expect(settings.ai.agent.deferredTools.discoverTopK).toBe(7);
  });
});
