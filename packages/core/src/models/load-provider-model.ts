import type { LanguageModelV4 } from '@ai-sdk/provider';
import { text } from '../contracts/texts/text.ts';
import { ModelError } from './model-error.ts';
import type { ProviderProfile } from './provider-profiles.ts';

export interface Connection {
  readonly profile: ProviderProfile;
  readonly modelId: string;
  /** Undefined = none is sent. */
  readonly key: string | undefined;
  readonly baseUrl: string;
  /** The address is the user's, not the provider's own. */
  readonly ownAddress: boolean;
}

/**
 * Loads the provider's package (on first use only: each costs tens of milliseconds) and makes the model.
 * Addresses are always handed over, so that no package looks them up in `process.env` by itself.
 */
export async function loadProviderModel(connection: Connection): Promise<LanguageModelV4> {
  const { profile, modelId, key, baseUrl, ownAddress } = connection;
  const baseURL = profile.api === 'anthropic' ? withVersion(baseUrl) : baseUrl;
  // Services behind an address of the user's speak chat completions with their own peculiarities.
  const api = profile.api === 'openai' && ownAddress ? 'compatible' : profile.api;
  const apiKey = key ?? '';
  switch (api) {
    case 'openai': {
      const { createOpenAI } = await load('@ai-sdk/openai', () => import('@ai-sdk/openai'));
      return createOpenAI({ baseURL, apiKey, fetch: fetchWithoutRedirects }).chat(modelId);
    }
    case 'anthropic': {
      const { createAnthropic } = await load('@ai-sdk/anthropic', () => import('@ai-sdk/anthropic'));
      return createAnthropic({ baseURL, apiKey, fetch: fetchWithoutRedirects })(modelId);
    }
    case 'google': {
      const { createGoogle } = await load('@ai-sdk/google', () => import('@ai-sdk/google'));
      return createGoogle({ baseURL, apiKey, fetch: fetchWithoutRedirects })(modelId);
    }
    case 'compatible': {
      const { createOpenAICompatible } = await load(
        '@ai-sdk/openai-compatible',
        () => import('@ai-sdk/openai-compatible'),
      );
      const settings = { name: profile.name, baseURL, includeUsage: true, fetch: fetchWithoutRedirects };
      return createOpenAICompatible(key === undefined ? settings : { ...settings, apiKey }).chatModel(modelId);
    }
  }
}

/** Keys in headers of their own, and the conversation, would follow a redirect to wherever it leads. */
const fetchWithoutRedirects: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'error' });

/** Anthropic's own clients add `/v1` to the address, the AI SDK does not: both ways of writing it work. */
function withVersion(baseUrl: string): string {
  return /\/v\d+$/.test(baseUrl) ? baseUrl : `${baseUrl}/v1`;
}

async function load<T>(name: string, importPackage: () => Promise<T>): Promise<T> {
  try {
    return await importPackage();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ModelError(
      'PACKAGE_MISSING',
      text('models.package-missing', { package: name, reason: code ?? message }),
      {
        cause: error as Error,
      },
    );
  }
}
