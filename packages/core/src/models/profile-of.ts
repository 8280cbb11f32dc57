import { type ProviderProfile, providerProfiles } from './provider-profiles.ts';

/** The profile of a provider by our name (`anthropic`) or the AI SDK's (`anthropic.messages`); undefined for others. */
export function profileOf(provider: string): ProviderProfile | undefined {
  const dot = provider.indexOf('.');
  return providerProfiles.get(dot < 0 ? provider : provider.slice(0, dot));
}
