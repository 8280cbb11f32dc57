import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configKeys } from './config-keys.ts';
import { loadProject } from './fixtures/load-project.ts';
import { renderConfigDocs } from './fixtures/render-config-docs.ts';

const DOCS = join(import.meta.dirname, '../../../../docs');
const DOCUMENTS = ['configuration.md', 'zh/configuration.md'];

describe('published schema and documents', () => {
  it('are what the script writes', async () => {
    for (const [file, content] of await renderConfigDocs()) expect(await readFile(file, 'utf8')).toBe(content);
  });

  it.each(DOCUMENTS)('%s: every example is right', async (name) => {
    const document = await readFile(join(DOCS, name), 'utf8');
    const examples = [...document.matchAll(/^```(yaml|ts)\n(.*?)^```$/gms)];
    expect(examples.length).toBe(4);
    const loaded: unknown[] = [];
    for (const [, language, code = ''] of examples) {
      const { settings, problems } = await loadProject(
        {
          [`root/baigong.config.${language === 'ts' ? 'ts' : 'yml'}`]: code,
          'root/secrets/weather-token.txt': 'token\n',
        },
        { environment: { DEEPSEEK_KEY: 'sk-0123456789' } },
      );
      expect(problems).toEqual([]);
      loaded.push({ ...settings, state: undefined });
    }
    expect(loaded[0]).toEqual(loaded[1]);
    expect(loaded[0]).toMatchObject({
      ai: { providers: { deepseek: { apiKey: 'sk-0123456789' } } },
      plugins: { weather: { token: 'token' } },
    });
  });

  it('give every key its row and the name of its test', async () => {
    const keys = configKeys();
    expect(keys).toContainEqual({ path: 'turn.maxSteps', noEffectYet: false });
    expect(keys).toContainEqual({ path: 'ai.providers.<name>.apiKey', noEffectYet: false });
    expect(keys).toContainEqual({ path: 'ai.agent.deferredTools.discoverTopK', noEffectYet: true });
    expect(new Set(keys.map(({ path }) => path)).size).toBe(keys.length);
    for (const name of DOCUMENTS) {
      const document = await readFile(join(DOCS, name), 'utf8');
      for (const { path } of keys) {
        const rows = document.split('\n').filter((line) => line.startsWith(`| \`${path}\` `));
        expect(rows).toHaveLength(2);
        expect(rows[1]).toContain(`| \`configuration key ${path}\` `);
      }
    }
  });
});
