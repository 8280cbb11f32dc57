// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the configuration are written so.
import { describe, expect, it } from 'vitest';
import { loadProject } from './fixtures/load-project.ts';
import { said } from './fixtures/said.ts';

const YML = 'root/baigong.config.yml';

describe('faults of syntax', () => {
  it.each([
    ['yml', 'turn:\n  maxSteps: 3\n timeoutMs: 4\n', 'SYNTAX_ERROR', 'baigong.config.yml:3:1'],
    ['yml', 'config: !secret abc\n', 'SYNTAX_ERROR', 'baigong.config.yml:1:9'],
    ['yml', '%YAML 1.1\n---\nconfig: { at: !!binary aGk= }\n', 'SYNTAX_ERROR', 'baigong.config.yml:3:15'],
    ['yml', 'a: 1\n---\nb: 2\n', 'SYNTAX_ERROR', 'baigong.config.yml:2:1'],
    ['yml', 'config: { a: *nobody }\n', 'SYNTAX_ERROR', 'baigong.config.yml'],
    ['yml', `config:\n  a: ${'- '.repeat(20_000)}\n`, 'SYNTAX_ERROR', 'baigong.config.yml'],
    ['json', '{\n  "turn": { "maxSteps": 3, }\n}', 'SYNTAX_ERROR', 'baigong.config.json:2:26'],
    ['json', 'abc', 'SYNTAX_ERROR', 'baigong.config.json:1:1'],
    ['json', '{ "config": { "a": "tail', 'SYNTAX_ERROR', 'baigong.config.json:1:25'],
    ['json', '', 'SYNTAX_ERROR', 'baigong.config.json:1:1'],
    ['json', '{"config": {}, // no\n}', 'SYNTAX_ERROR', 'baigong.config.json:1:14'],
    ['ts', 'export default {\n  turn: {{\n};', 'SYNTAX_ERROR', 'baigong.config.ts:2:10'],
    ['ts', "import { a } from './missing.ts';\nexport default a;", 'UNRESOLVED_IMPORT', 'baigong.config.ts'],
    [
      'ts',
      'const x: number = 1;\nthrow new Error("no such bot");\nexport default {};',
      'LOAD_ERROR',
      'baigong.config.ts:2:7',
    ],
    ['ts', 'export const turn = {};', 'INVALID_VALUE', 'baigong.config.ts'],
    ['ts', 'export default async () => ({});', 'INVALID_VALUE', 'baigong.config.ts'],
    ['ts', 'export default Promise.resolve({});', 'INVALID_VALUE', 'baigong.config.ts'],
    ['ts', 'export default [];', 'INVALID_VALUE', 'baigong.config.ts'],
  ])('%s %j', async (end, content, code, place) => {
    const { problems, settings } = await loadProject({ [`root/baigong.config.${end}`]: content });
    expect(problems[0]).toMatchObject({ code, fatal: true });
    expect(problems[0]?.file).toMatch(new RegExp(`^${place.replaceAll('.', '\\.')}`));
    if (place.includes(':')) expect(problems[0]?.file).toBe(place);
    expect(settings.turn.maxSteps).toBe(15);
  });

  it('names the helper file that throws', async () => {
    const { problems } = await loadProject({
      'root/baigong.config.ts': "import { a } from './a.ts';\nexport default { config: { a } };",
      'root/a.ts': 'export const a = (() => { throw new Error("broken helper"); })();',
    });
    expect(problems[0]?.file).toMatch(/^a\.ts:1:/);
    expect(said(problems)).toContain('broken helper');
    expect(said(problems)).not.toContain('execute');
  });

  it.each([
    ['yml', 'turn:\n  maxSteps: 3\nlocale: en\nturn:\n  timeoutMs: 9\n', 'turn', ':4:1'],
    ['yml', 'config: { a: { b: 1, b: 2 } }\n', 'config.a.b', ':1:22'],
    ['json', '{"turn":{"maxSteps":1,"maxSteps":2}}', 'turn.maxSteps', ':1:23'],
  ])('names a key that %s says twice', async (end, content, field, place) => {
    const { problems } = await loadProject({ [`root/baigong.config.${end}`]: content });
    expect(problems).toMatchObject([{ code: 'DUPLICATE_KEY', field, file: `baigong.config.${end}${place}` }]);
  });

  it('bounds aliases', async () => {
    const lines = ['config:', '  a0: &a0 [x, x, x, x, x, x, x, x, x]'];
    for (let n = 1; n < 9; n++)
      lines.push(
        `  a${n}: &a${n} [${Array(9)
          .fill(`*a${n - 1}`)
          .join(', ')}]`,
      );
    const { problems } = await loadProject({ [YML]: lines.join('\n') });
    expect(problems).toMatchObject([{ code: 'SYNTAX_ERROR', file: 'baigong.config.yml' }]);
    const cycle = await loadProject({ [YML]: 'config: { a: &a [*a, *a] }' });
    expect(cycle.problems.length).toBeGreaterThan(0);
  });

  it('quotes nothing of a broken JSON file', async () => {
    const { problems } = await loadProject({ 'root/baigong.config.json': '{"ai": sk-live-0123456789}' });
    expect(said(problems)).not.toContain('sk-live');
  });
});
