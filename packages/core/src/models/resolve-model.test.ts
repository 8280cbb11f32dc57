import { describe, expect, test } from 'vitest';
import { renderText } from '../contracts/texts/render-text.ts';
import { ModelError } from './model-error.ts';
import { providerProfiles } from './provider-profiles.ts';
import { resolveModel } from './resolve-model.ts';

type Environment = Record<string, string | undefined>;

const KEY = 'sk-verysecret-0123456789';

function resolve(environment: Environment, model?: string) {
  return resolveModel({ environment, locale: 'en', ...(model === undefined ? {} : { model }) });
}

async function failureOf(environment: Environment, model?: string): Promise<ModelError> {
  const error: unknown = await resolve(environment, model).catch((reason: unknown) => reason);
  if (!ModelError.isInstance(error)) throw new Error(`expected a ModelError, got ${String(error)}`);
  return error;
}

describe('without a name', () => {
  test.each<[string, Environment, string]>([
    ['nothing', {}, 'offline'],
    ['blank keys', { OPENAI_API_KEY: '', ANTHROPIC_API_KEY: '  \n', BAIGONG_MODEL: ' ' }, 'offline'],
    ['an OpenAI key', { OPENAI_API_KEY: KEY }, 'openai/'],
    ['an address of OpenAI’s format', { OPENAI_BASE_URL: 'http://localhost:11434/v1' }, 'openai/'],
    ['an Anthropic key', { ANTHROPIC_API_KEY: KEY }, 'anthropic/'],
    ['a Google key', { GOOGLE_GENERATIVE_AI_API_KEY: KEY }, 'google/'],
    ['a DeepSeek key', { DEEPSEEK_API_KEY: KEY }, 'deepseek/'],
    ['a Zhipu key', { ZHIPUAI_API_KEY: KEY }, 'zhipu/'],
    ['a DashScope key', { DASHSCOPE_API_KEY: KEY }, 'qwen/'],
    ['a Moonshot key', { MOONSHOT_API_KEY: KEY }, 'moonshot/'],
    ['several keys', { MOONSHOT_API_KEY: KEY, ANTHROPIC_API_KEY: KEY }, 'anthropic/'],
    [
      'a model’s name',
      { BAIGONG_MODEL: 'qwen/qwen-max', OPENAI_API_KEY: KEY, DASHSCOPE_API_KEY: KEY },
      'qwen/qwen-max',
    ],
  ])('%s in the environment', async (_name, environment, name) => {
    const resolved = await resolve(environment);
    expect(resolved.name.startsWith(name)).toBe(true);
    expect(resolved.provider).toBe(name.split('/')[0]);
    expect(resolved.offline).toBe(name === 'offline');
    expect(resolved.name).toBe(resolved.offline ? 'offline' : `${resolved.provider}/${resolved.model.modelId}`);
  });
});

describe('with a name', () => {
  test.each<[string, Environment, string, string]>([
    ['openai/gpt-5.5', { OPENAI_API_KEY: KEY }, 'openai/gpt-5.5', 'gpt-5.5'],
    ['openai/org/model:7b', { OPENAI_BASE_URL: 'http://host/v1' }, 'openai/org/model:7b', 'org/model:7b'],
    ['openai-compatible/llama3', { OPENAI_BASE_URL: 'http://host/v1/' }, 'openai-compatible/llama3', 'llama3'],
    ['anthropic', { ANTHROPIC_API_KEY: KEY }, 'anthropic/claude-sonnet-5', 'claude-sonnet-5'],
    ['anthropic/', { ANTHROPIC_API_KEY: KEY }, 'anthropic/claude-sonnet-5', 'claude-sonnet-5'],
    [' zhipu / glm-5 ', { ZHIPUAI_API_KEY: KEY }, 'zhipu/glm-5', 'glm-5'],
    ['offline', { OPENAI_API_KEY: KEY }, 'offline', 'offline'],
  ])('%j', async (model, environment, name, modelId) => {
    const resolved = await resolve({ BAIGONG_MODEL: 'nobody/nothing', ...environment }, model);
    expect(resolved.name).toBe(name);
    expect(resolved.model.modelId).toBe(modelId);
    expect(resolved.model.specificationVersion).toBe('v4');
  });
});

describe('says what is wrong:', () => {
  test.each<[string, string | undefined, Environment, string, string[]]>([
    ['an unknown provider', 'opnai/gpt', {}, 'UNKNOWN_PROVIDER', ['"opnai"', 'did you mean "openai"', 'deepseek']],
    ['another service', 'ollama/llama3', {}, 'UNKNOWN_PROVIDER', ['"openai-compatible/llama3"', 'OPENAI_BASE_URL']],
    ['a name of Object', 'constructor/x', {}, 'UNKNOWN_PROVIDER', ['"constructor"']],
    ['a model without its provider', 'gpt-5.4-mini', {}, 'BAD_MODEL_NAME', ['"gpt-5.4-mini"', 'provider/model']],
    ['a mistyped provider alone', 'antropic', {}, 'UNKNOWN_PROVIDER', ['did you mean "anthropic"']],
    [
      'no model',
      'openai-compatible',
      { OPENAI_BASE_URL: 'http://h/v1' },
      'BAD_MODEL_NAME',
      ['openai-compatible/<model>'],
    ],
    ['no address', 'openai-compatible/x', { OPENAI_API_KEY: KEY }, 'MISSING_BASE_URL', ['OPENAI_BASE_URL']],
    ['an address that is none', undefined, { OPENAI_BASE_URL: 'localhost:1234' }, 'BAD_BASE_URL', ['OPENAI_BASE_URL']],
    [
      'an address of another kind',
      'zhipu',
      { ZHIPUAI_BASE_URL: 'ftp://x', ZHIPUAI_API_KEY: KEY },
      'BAD_BASE_URL',
      ['ZHIPUAI_BASE_URL', 'https://open.bigmodel.cn'],
    ],
    ['an address with a password', undefined, { OPENAI_BASE_URL: `https://me:${KEY}@host/v1` }, 'BAD_BASE_URL', []],
    ['an address with a password alone', undefined, { OPENAI_BASE_URL: `https://:${KEY}@host/v1` }, 'BAD_BASE_URL', []],
    ['an address with a query', undefined, { OPENAI_BASE_URL: `https://host/v1?key=${KEY}` }, 'BAD_BASE_URL', []],
    ['a key in the place of the address', undefined, { OPENAI_BASE_URL: KEY }, 'BAD_BASE_URL', []],
    ['a key in quotation marks', undefined, { OPENAI_API_KEY: `“${KEY}”` }, 'BAD_KEY', ['OPENAI_API_KEY']],
    ['a key in two lines', undefined, { DEEPSEEK_API_KEY: `${KEY}\n${KEY}` }, 'BAD_KEY', ['DEEPSEEK_API_KEY']],
  ])('%s', async (_name, model, environment, code, said) => {
    const error = await failureOf(environment, model);
    expect(error.code).toBe(code);
    for (const words of said) expect(error.message).toContain(words);
    for (const shown of [error.message, renderText(error.reason, 'zh'), JSON.stringify(error), String(error.stack)]) {
      expect(shown).not.toContain(KEY);
      expect(shown).not.toMatch(/\{[a-z]+\}/i);
    }
  });

  test.each([...providerProfiles.values()].filter((profile) => profile.name !== 'openai-compatible'))(
    'no key for $name',
    async ({ name, keyVariable }) => {
      const error = await failureOf({ [keyVariable]: ' ' }, `${name}/some-model`);
      expect(error).toMatchObject({ code: 'MISSING_KEY', retryable: false });
      expect(error.message).toContain(keyVariable);
    },
  );

  test('no key although there is an address, for those who always want one', async () => {
    const error = await failureOf({ DEEPSEEK_BASE_URL: 'http://localhost/v1' }, 'deepseek');
    expect(error.code).toBe('MISSING_KEY');
  });
});
