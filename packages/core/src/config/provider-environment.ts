import { nearestNames } from '../contracts/nearest-names.ts';
import type { Problem } from '../contracts/problem.ts';
import { showText } from '../contracts/show-text.ts';
import { text } from '../contracts/texts/text.ts';
import { formatKeyPath } from './format-key-path.ts';
import type { LoadedConfig } from './load-config.ts';

/** The environment variables by which a model provider is configured. */
export interface ProviderVariables {
  readonly keyVariable: string;
  readonly baseUrlVariable: string;
}

/** What the configuration says of providers, and where. */
export type ProviderSettings = Pick<LoadedConfig, 'environment' | 'origins'> & {
  readonly settings: Pick<LoadedConfig['settings'], 'ai'>;
};

/**
 * The environment with the keys and base URLs of `ai.providers` laid over the variables of each provider. Providers that
 * do not exist, and two that say different things for one variable, are problems; of two the first one counts.
 *
 * @example
 * const { environment, problems } = providerEnvironment(loaded, providerProfiles);
 */
export function providerEnvironment(
  { settings, environment, origins }: ProviderSettings,
  profiles: ReadonlyMap<string, ProviderVariables>,
): {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly problems: readonly Problem[];
} {
  const problems: Problem[] = [];
  const laid = new Map<string, { readonly provider: string; readonly value: string }>();
  for (const [provider, { apiKey, baseUrl }] of Object.entries(settings.ai.providers)) {
    const profile = profiles.get(provider);
    if (profile === undefined) {
      problems.push({ ...unknownProvider(provider, [...profiles.keys()]), ...placeOf(provider, origins) });
      continue;
    }
    const said = [
      { key: 'apiKey', variable: profile.keyVariable, value: apiKey },
      { key: 'baseUrl', variable: profile.baseUrlVariable, value: baseUrl },
    ];
    for (const { key, variable, value } of said) {
      if (value === undefined) continue;
      const other = laid.get(variable);
      if (other === undefined) laid.set(variable, { provider, value });
      else if (other.value !== value) {
        problems.push({ ...conflict(other.provider, provider, variable, key), ...placeOf(provider, origins) });
      }
    }
  }
  const added = [...laid].map(([variable, { value }]): [string, string] => [variable, value]);
  return { environment: Object.fromEntries([...Object.entries(environment), ...added]), problems };
}

/** Where anything of a provider is said. */
function placeOf(provider: string, origins: LoadedConfig['origins']): { readonly file?: string } {
  const key = formatKeyPath(['ai', 'providers', provider]);
  const own = [...origins].find(([one]) => one === key || one.startsWith(`${key}.`));
  const place = own?.[1].place;
  return place === undefined ? {} : { file: place };
}

function unknownProvider(provider: string, names: readonly string[]): Problem {
  const nearest = nearestNames(provider, names, 1)[0];
  const name = showText(provider);
  return {
    code: 'UNKNOWN_PROVIDER',
    field: formatKeyPath(['ai', 'providers', provider]),
    found: name,
    expected: names.join(' | '),
    message: text('config.unknown-provider', { name }),
    hint:
      nearest === undefined
        ? text('config.unknown-provider-hint', { names: names.join(', ') })
        : text('config.did-you-mean', { names: nearest }),
    fatal: true,
  };
}

function conflict(first: string, second: string, variable: string, key: string): Problem {
  return {
    code: 'PROVIDER_CONFLICT',
    field: formatKeyPath(['ai', 'providers', second, key]),
    message: text('config.provider-conflict', { first, second, variable, key }),
    hint: text('config.provider-conflict-hint', { key }),
    fatal: true,
  };
}
