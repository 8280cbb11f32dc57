// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the configuration are written so.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadProject } from './fixtures/load-project.ts';
import { said } from './fixtures/said.ts';

const YML = 'root/baigong.config.yml';

describe('references', () => {
  const environment = { KEY: 'sk-0123456789', STEPS: '9', HOSTS: 'a,b', LANGUAGE: 'zh', ON: 'true', EMPTY: '' };

  it('resolves variables in every kind of value', async () => {
    const { settings, problems, secrets } = await loadProject(
      {
        [YML]: [
          'locale: ${LANGUAGE}',
          'ai: { providers: { openai: { apiKey: "${KEY}", baseUrl: "https://${HOST:-example.org}/v1" } } }',
          'turn: { maxSteps: "${STEPS}" }',
          'reload: { watch: "${ON}" }',
          'network: { allowHosts: "${HOSTS}" }',
          'trusted: ["${KEY}", plain]',
          'config: { a: "x ${KEY} ${EMPTY:-y} $${KEY}", n: "${STEPS}", price: "$5" }',
        ].join('\n'),
      },
      { environment },
    );
    expect(problems).toEqual([]);
    expect(settings).toMatchObject({
      locale: 'zh',
      ai: { providers: { openai: { apiKey: 'sk-0123456789', baseUrl: 'https://example.org/v1' } } },
      turn: { maxSteps: 9 },
      reload: { watch: true },
      network: { allowHosts: ['a', 'b'] },
      trusted: ['sk-0123456789', 'plain'],
      config: { a: 'x sk-0123456789 y ${KEY}', n: '9', price: '$5' },
    });
    expect([...secrets].sort()).toEqual([
      'ai.providers.openai.apiKey',
      'ai.providers.openai.baseUrl',
      'config.a',
      'config.n',
      'locale',
      'network.allowHosts',
      'reload.watch',
      'trusted',
      'turn.maxSteps',
    ]);
  });

  it('reads files, relative to the file that refers to them, without one newline at the end', async () => {
    const { settings, secrets, files, root, home } = await loadProject(
      {
        'home/.baigong/config.yml': 'config: { home: { file: token.txt } }',
        'home/.baigong/token.txt': 'home-token\r\n',
        'root/baigong.config.ts': `export default {
          ai: { providers: { openai: { apiKey: { file: 'keys/\${NAME}.txt' } } } },
          plugins: { weather: { file: 'not a reference' }, maps: { key: { file: 'keys/a.txt' }, other: { file: 'x', more: 1 } } },
        };`,
        'root/keys/a.txt': 'line\n\n',
      },
      { environment: { NAME: 'a' } },
    );
    expect(settings.ai.providers.openai?.apiKey).toBe('line\n');
    expect(settings.config).toEqual({ home: 'home-token' });
    expect(settings.plugins).toEqual({
      weather: { file: 'not a reference' },
      maps: { key: 'line\n', other: { file: 'x', more: 1 } },
    });
    expect([...secrets].sort()).toEqual(['ai.providers.openai.apiKey', 'config.home', 'plugins.maps.key']);
    expect(files).toContain(join(root, 'keys/a.txt'));
    expect(files).toContain(join(home, '.baigong/token.txt'));
  });

  it('reads variables from .env', async () => {
    const { settings } = await loadProject({ 'root/.env': 'TOKEN=abc\n', [YML]: 'config: { t: "${TOKEN}" }' });
    expect(settings.config).toEqual({ t: 'abc' });
  });

  it('names key, variable and remedy of what is missing, and no value', async () => {
    const { problems, files, root, settings } = await loadProject(
      {
        [YML]: [
          'ai: { providers: { openai: { apiKey: "${KEY}${NOPE}${EMPTY}" } } }',
          'turn: { maxSteps: "${KEY}" }',
          'config:',
          '  file: { file: "${KEY}/none.txt" }',
          '  list: [1, { key: { file: gone.txt } }]',
          '  bad: "${not a name}"',
          'trusted: [a, "${KEY}", 5]',
        ].join('\n'),
      },
      { environment },
    );
    expect(problems.map(({ code, field, fatal }) => `${code} ${field} ${fatal}`)).toEqual([
      'MISSING_VARIABLE ai.providers.openai.apiKey true',
      'MISSING_VARIABLE ai.providers.openai.apiKey true',
      'MISSING_FILE config.file true',
      'MISSING_FILE config.list[1].key true',
      'INVALID_REFERENCE config.bad true',
      'INVALID_VALUE turn.maxSteps true',
      'INVALID_VALUE trusted[2] true',
    ]);
    expect(said(problems)).not.toContain('0123456789');
    expect(said(problems)).toContain('${NOPE:-default}');
    expect(said(problems)).toContain('${NAME:-default}');
    expect(problems[3]?.file).toBe('baigong.config.yml:5:15');
    expect(files).toContain(join(root, 'gone.txt'));
    expect(settings.config).toEqual({});
    expect(settings.turn.maxSteps).toBe(15);
  });

  it('refuses a file that is no regular file, or too large', async () => {
    const { problems } = await loadProject({
      [YML]: 'config: { a: { file: . }, b: { file: big.txt } }',
      'root/big.txt': 'x'.repeat(1024 * 1024 + 1),
    });
    expect(problems.map(({ found }) => found)).toEqual(['EINVAL', 'EFBIG']);
  });

  it('takes texts of code, variables and flags as they are', async () => {
    const { settings } = await loadProject(
      {},
      { environment: { BAIGONG_AI__MODEL: '${KEY}' }, code: { config: { a: '${KEY}', f: { file: 'x' } } } },
    );
    expect(settings.ai.model).toBe('${KEY}');
    expect(settings.config).toEqual({ a: '${KEY}', f: { file: 'x' } });
  });
});
