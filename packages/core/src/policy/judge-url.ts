import { isIP } from 'node:net';
import { fetchLimits } from '../contracts/fetch-limits.ts';
import type { MessageKey } from '../contracts/message-key.ts';
import { showText } from '../contracts/show-text.ts';
import { text } from '../contracts/texts/text.ts';
import type { UrlRefusalCode, UrlRules } from '../contracts/url-policy.ts';
import { hostOf } from './host-of.ts';
import { isBarredPort } from './is-barred-port.ts';
import { isHostListed } from './is-host-listed.ts';
import { isSpecialName } from './is-special-name.ts';
import { judgeAddress } from './judge-address.ts';

export interface UrlRefusal {
  readonly allow: false;
  readonly reason: MessageKey;
  readonly code: UrlRefusalCode;
}

export interface UrlAllowance {
  readonly allow: true;
  /** What to request; its host has no final dot. */
  readonly url: URL;
  /** As it stands in the URL; an IPv6 address keeps its brackets. */
  readonly host: string;
  readonly port: number;
  /** A name, whose addresses are to be judged too before anything connects; an address literal is judged already. */
  readonly needsResolving: boolean;
}

/** Characters of a URL or host in a message. */
const SHOWN = 200;
const SHOWN_LABELS = 10;

/**
 * Decides whether a URL may be requested, as far as that can be seen from its text. Reads nothing but its arguments,
 * opens nothing, throws nothing, whatever the text. What another parser might read otherwise than Node's (control
 * characters, backslashes, a missing slash, an empty user name) is refused rather than smoothed.
 *
 * A name that is allowed here must be resolved once, its addresses given to {@link judgeAddresses}, and the connection
 * made to exactly those.
 *
 * @example
 * await judgeUrl('http://0x7f.1/', { allowHosts: [] }) // { allow: false, code: 'not-public', reason: … }
 */
export async function judgeUrl(url: string, rules: UrlRules): Promise<UrlAllowance | UrlRefusal> {
  if (url.length > fetchLimits.urlChars) {
    return refuse('too-long', text('policy.url-too-long', { limit: fetchLimits.urlChars }));
  }
  const shown = show(url);
  if (/[\0-\x1f\x7f]/.test(url) || !URL.canParse(url)) {
    return refuse('unreadable', text('policy.url-unreadable', { url: shown }));
  }
  const parsed = new URL(url);
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') {
    return refuse('scheme', text('policy.url-scheme', { url: shown }));
  }
  const authority = /^https?:\/\/([^/\\?#]+)(?:[/?#]|$)/i.exec(url)?.[1];
  const path = url.split(/[?#]/, 1)[0] ?? '';
  if (authority === undefined || path.includes('\\')) {
    return refuse('unreadable', text('policy.url-unreadable', { url: shown }));
  }
  const host = hostOf(parsed);
  const shownHost = show(host);
  if (authority.includes('@') || parsed.username !== '' || parsed.password !== '') {
    return refuse('credentials', text('policy.url-credentials', { host: shownHost }));
  }
  const port = parsed.port === '' ? (parsed.protocol === 'https:' ? 443 : 80) : Number(parsed.port);
  const declared = rules.allowedByTool ?? [];
  if (declared.length > 0 && !isHostListed(host, port, declared, { wildcards: true })) {
    return refuse('not-declared', text('policy.url-not-declared', { host: shownHost, labels: showLabels(declared) }));
  }
  // Without the dot, names and certificates are compared as people expect.
  if (parsed.hostname !== host) parsed.hostname = host;
  const literal = host.startsWith('[') ? host.slice(1, -1) : host;
  const needsResolving = isIP(literal) === 0;
  const allowance: UrlAllowance = { allow: true, url: parsed, host, port, needsResolving };
  if (isHostListed(host, port, rules.allowHosts, { wildcards: false })) return allowance;
  if (isBarredPort(port)) return refuse('port', text('policy.url-port', { host: shownHost, port }));
  if (!needsResolving) {
    if ((await judgeAddress(literal)) === 'public') return allowance;
    return refuse('not-public', text('policy.url-not-public', { host: shownHost }));
  }
  if (isSpecialName(host)) return refuse('special-name', text('policy.url-special-name', { host: shownHost }));
  return allowance;
}

function refuse(code: UrlRefusalCode, reason: MessageKey): UrlRefusal {
  return { allow: false, code, reason };
}

function show(value: string): string {
  const shown = showText(value);
  return shown.length <= SHOWN ? shown : `${shown.slice(0, SHOWN - 1).toWellFormed()}…`;
}

function showLabels(labels: readonly string[]): string {
  const shown = labels.slice(0, SHOWN_LABELS).map(show).join(', ');
  return labels.length > SHOWN_LABELS ? `${shown}, …` : shown;
}
