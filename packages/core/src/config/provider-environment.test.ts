import { describe, expect, it } from 'vitest';
import type { Settings } from '../contracts/settings.ts';
import type { LoadedConfig } from './load-config.ts';
import { providerEnvironment } from './provider-environment.ts';

const profiles = new Map([
  ['openai', { keyVariable: 'OPENAI_API_KEY', baseUrlVariable: 'OPENAI_BASE_URL' }],
  ['openai-compatible', { keyVariable: 'OPENAI_API_KEY', baseUrlVariable: 'OPENAI_BASE_URL' }],
  ['deepseek', { keyVariable: 'DEEPSEEK_API_KEY', baseUrlVariable: 'DEEPSEEK_BASE_URL' }],
]);

function lay(providers: Settings['ai']['providers'], origins: LoadedConfig['origins'] = new Map()) {
  const ai: Settings['ai'] = {
    providers,
    mcpServers: {},
    agents: {},
    agent: {
      systemPromptMaxChars: 1,
      deferredTools: {
        maxLoadedPerSession: 1,
        discoverTopK: 1,
        alwaysLoadedTools: [],
        alwaysLoadedMode: 'extend',
        mcpServers: {},
      },
    },
  };
  return providerEnvironment(
    { settings: { ai }, environment: { OPENAI_API_KEY: 'old', PATH: '/bin' }, origins },
    profiles,
  );
}

describe('providerEnvironment', () => {
  it('lays keys and base URLs over the variables of each provider', () => {
    const { environment, problems } = lay({
      openai: { apiKey: 'new' },
      deepseek: { apiKey: 'd', baseUrl: 'http://127.0.0.1:1' },
    });
    expect(problems).toEqual([]);
    expect(environment).toEqual({
      OPENAI_API_KEY: 'new',
      DEEPSEEK_API_KEY: 'd',
      DEEPSEEK_BASE_URL: 'http://127.0.0.1:1',
      PATH: '/bin',
    });
  });

  it('leaves everything as it was where nothing is said', () => {
    expect(lay({ openai: {} })).toEqual({ environment: { OPENAI_API_KEY: 'old', PATH: '/bin' }, problems: [] });
  });

  it.each([
    ['deepsek', 'deepseek'],
    ['constructor', undefined],
    ['__proto__', undefined],
  ])('reports the unknown provider %s', (name, nearest) => {
    const { problems } = lay(Object.fromEntries([[name, { apiKey: 'secret' }]]));
    expect(problems).toMatchObject([{ code: 'UNKNOWN_PROVIDER', field: `ai.providers.${name}`, fatal: true }]);
    expect(problems[0]?.hint?.values?.names).toBe(nearest ?? 'openai, openai-compatible, deepseek');
    expect(JSON.stringify(problems)).not.toContain('secret');
  });

  it('reports two providers that say different things for one variable, and no value', () => {
    const same = lay({ openai: { apiKey: 'secret' }, 'openai-compatible': { apiKey: 'secret', baseUrl: 'http://x' } });
    expect(same.problems).toEqual([]);
    const { problems, environment } = lay({ openai: { apiKey: 'one-1' }, 'openai-compatible': { apiKey: 'two-2' } });
    expect(problems).toMatchObject([{ code: 'PROVIDER_CONFLICT', field: 'ai.providers.openai-compatible.apiKey' }]);
    expect(environment.OPENAI_API_KEY).toBe('one-1');
    expect(JSON.stringify(problems)).not.toMatch(/one-1|two-2/);
  });

  it('says where the provider stands that is wrong, and not where one with a longer name does', () => {
    const at = (place: string) => ({ level: 'project', place }) as const;
    const origins = new Map([
      ['ai.providers.openai.apiKey', at('baigong.config.yml:3')],
      ['ai.providers.openai-compatible.apiKey', at('baigong.config.yml:5')],
      ['ai.providers.opena.apiKey', at('baigong.config.yml:7')],
    ]);
    const providers = { openai: { apiKey: '1' }, 'openai-compatible': { apiKey: '2' }, opena: { apiKey: '3' } };
    const { problems } = lay(providers, origins);
    expect(problems.map(({ code, file }) => [code, file])).toEqual([
      ['PROVIDER_CONFLICT', 'baigong.config.yml:5'],
      ['UNKNOWN_PROVIDER', 'baigong.config.yml:7'],
    ]);
  });
});
