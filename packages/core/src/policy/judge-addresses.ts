import type { MessageKey } from '../contracts/message-key.ts';
import { showText } from '../contracts/show-text.ts';
import { text } from '../contracts/texts/text.ts';
import type { UrlRules } from '../contracts/url-policy.ts';
import { isHostListed } from './is-host-listed.ts';
import { judgeAddress } from './judge-address.ts';

export type AddressesVerdict =
  | { readonly allow: true }
  | { readonly allow: false; readonly reason: MessageKey; readonly code: 'not-public' };

/**
 * Decides whether the addresses that a name led to may be contacted: all of them, or none. No address at all is
 * refused too. The reason names the host and never what it resolved to, which may tell strangers about a network.
 *
 * @example
 * await judgeAddresses('lvh.me', 80, ['127.0.0.1'], { allowHosts: [] }) // { allow: false, … }
 */
export async function judgeAddresses(
  host: string,
  port: number,
  addresses: readonly string[],
  rules: UrlRules,
): Promise<AddressesVerdict> {
  if (addresses.length > 0 && isHostListed(host, port, rules.allowHosts, { wildcards: false })) return { allow: true };
  const verdicts = await Promise.all(addresses.map(judgeAddress));
  const isInside = verdicts.length === 0 || verdicts.includes('not-public');
  if (!isInside && (rules.allowFakeIp === true || !verdicts.includes('fake-ip'))) return { allow: true };
  const key = isInside ? 'policy.url-leads-inside' : 'policy.url-fake-ip';
  return { allow: false, code: 'not-public', reason: text(key, { host: showText(host) }) };
}
