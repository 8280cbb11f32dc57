import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { Locale } from '../contracts/locale.ts';
import { nearestNames } from '../contracts/nearest-names.ts';
import { text } from '../contracts/texts/text.ts';
import { KeyedModel } from './keyed-model.ts';
import { loadProviderModel } from './load-provider-model.ts';
import { ModelError } from './model-error.ts';
import { createOfflineModel } from './offline/create-offline-model.ts';
import { type ProviderProfile, providerProfiles } from './provider-profiles.ts';

export interface ResolveModelOptions {
  /** `provider/model`, `provider` for its usual model, or `offline`. Default: `BAIGONG_MODEL`, else what is configured. */
  readonly model?: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The offline model's language where a message does not show one. */
  readonly locale: Locale;
}

export interface ResolvedModel {
  readonly model: LanguageModelV4;
  /** `openai/gpt-5.4-mini`, or `offline`. */
  readonly name: string;
  readonly provider: string;
  readonly offline: boolean;
}

type Environment = ResolveModelOptions['environment'];

const OFFLINE = 'offline';

/**
 * Finds the model that a name or the environment means. Without a name it is the first provider with a key
 * (`OPENAI_API_KEY`, `ANTHROPIC_API_KEY`, …; `OPENAI_BASE_URL` alone counts too), and the offline model when there is
 * none. A key goes to the address that is configured beside it; `OPENAI_BASE_URL` without `OPENAI_API_KEY` gets none.
 * Nothing is asked of the network.
 *
 * Rejects with a `ModelError` that says which name or variable is wrong; it never holds a key.
 *
 * @example
 * const { model, name } = await resolveModel({ model: 'deepseek/deepseek-v4-flash', environment, locale: 'zh' });
 */
export async function resolveModel(options: ResolveModelOptions): Promise<ResolvedModel> {
  const { environment, locale } = options;
  const wanted = nonBlank(options.model) ?? nonBlank(environment.BAIGONG_MODEL);
  if (wanted === OFFLINE) return offline(locale);
  if (wanted !== undefined) {
    const { profile, modelId } = parseName(wanted);
    return connect(profile, modelId, environment);
  }
  for (const profile of providerProfiles.values()) {
    if (profile.model !== undefined && isConfigured(profile, environment)) {
      return connect(profile, profile.model, environment);
    }
  }
  return offline(locale);
}

function offline(locale: Locale): ResolvedModel {
  return { model: createOfflineModel({ locale }), name: OFFLINE, provider: OFFLINE, offline: true };
}

function parseName(name: string): { readonly profile: ProviderProfile; readonly modelId: string } {
  const slash = name.indexOf('/');
  const provider = slash < 0 ? name : name.slice(0, slash).trim();
  const modelId = slash < 0 ? '' : name.slice(slash + 1).trim();
  const profile = providerProfiles.get(provider);
  if (profile === undefined) throw unknownProvider(name, provider, modelId);
  if (modelId !== '') return { profile, modelId };
  if (profile.model === undefined)
    throw new ModelError('BAD_MODEL_NAME', text('models.missing-model', { name: provider }));
  return { profile, modelId: profile.model };
}

function unknownProvider(name: string, provider: string, modelId: string): ModelError {
  const names = [...providerProfiles.keys(), OFFLINE];
  const known = names.join(', ');
  const [near] = nearestNames(provider, names, 1);
  if (modelId === '' && near === undefined) {
    return new ModelError('BAD_MODEL_NAME', text('models.bad-name', { name, known, example: 'openai/gpt-5.4-mini' }));
  }
  const values = { provider, known, model: modelId === '' ? '<model>' : modelId };
  return new ModelError(
    'UNKNOWN_PROVIDER',
    near === undefined
      ? text('models.unknown-provider', values)
      : text('models.unknown-provider-near', { ...values, near }),
  );
}

function isConfigured(profile: ProviderProfile, environment: Environment): boolean {
  if (nonBlank(environment[profile.keyVariable]) !== undefined) return true;
  return profile.api === 'openai' && nonBlank(environment[profile.baseUrlVariable]) !== undefined;
}

async function connect(profile: ProviderProfile, modelId: string, environment: Environment): Promise<ResolvedModel> {
  const name = `${profile.name}/${modelId}`;
  const ownBaseUrl = readBaseUrl(profile, environment);
  const baseUrl = ownBaseUrl ?? profile.baseUrl;
  if (baseUrl === undefined) {
    throw new ModelError(
      'MISSING_BASE_URL',
      text('models.missing-base-url', { name, variable: profile.baseUrlVariable }),
    );
  }
  const key = readKey(profile, environment);
  // OpenAI's format is spoken by local services too, which as a rule want no key.
  const needsKey = ownBaseUrl === undefined || profile.keyVariable !== 'OPENAI_API_KEY';
  if (key === undefined && needsKey) {
    throw new ModelError('MISSING_KEY', text('models.missing-key', { name, variable: profile.keyVariable }));
  }
  const ownAddress = ownBaseUrl !== undefined;
  const model = await loadProviderModel({ profile, modelId, key, baseUrl, ownAddress });
  return { model: new KeyedModel(model, key), name, provider: profile.name, offline: false };
}

/** Never shows the value: people paste keys into the wrong variable, and addresses may carry passwords. */
function readBaseUrl(profile: ProviderProfile, environment: Environment): string | undefined {
  const variable = profile.baseUrlVariable;
  const value = nonBlank(environment[variable]);
  if (value === undefined) return undefined;
  const url = URL.parse(value);
  const usable =
    url !== null &&
    (url.protocol === 'http:' || url.protocol === 'https:') &&
    url.username === '' &&
    url.password === '' &&
    !/[?#]/.test(value);
  if (!usable) {
    const example = profile.baseUrl ?? 'http://localhost:11434/v1';
    throw new ModelError('BAD_BASE_URL', text('models.bad-base-url', { variable, example }));
  }
  return value.replace(/\/+$/, '');
}

function readKey(profile: ProviderProfile, environment: Environment): string | undefined {
  const key = nonBlank(environment[profile.keyVariable]);
  // What a header cannot carry would be named, key and all, in the error of whoever tries.
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) {
    throw new ModelError('BAD_KEY', text('models.bad-key', { variable: profile.keyVariable }));
  }
  return key;
}

function nonBlank(value: string | undefined): string | undefined {
  const trimmed = value?.trim();
  return trimmed === '' ? undefined : trimmed;
}
