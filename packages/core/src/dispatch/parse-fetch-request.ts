import { fetchLimits } from '../contracts/fetch-limits.ts';
import type { MessageKey } from '../contracts/message-key.ts';
import { showText } from '../contracts/show-text.ts';
import { text } from '../contracts/texts/text.ts';
import { hostForText } from './host-for-text.ts';

/** A request whose form is checked; its URL is not judged yet. */
export interface CheckedRequest {
  readonly url: string;
  readonly method: string;
  /** Names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer | undefined;
  readonly redirect: 'follow' | 'manual' | 'error';
}

export type ParsedFetchRequest =
  | { readonly ok: true; readonly request: CheckedRequest }
  | { readonly ok: false; readonly refused: MessageKey };

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const METHOD_CHARS = 32;

/** Open a tunnel, or echo what was sent. */
const BARRED_METHODS: ReadonlySet<string> = new Set(['CONNECT', 'TRACE', 'TRACK']);
/** Copied along by many programs, and always as the runtime knows better. */
const DROPPED_HEADERS: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'content-length']);
/** Say where a request goes or where it ends: what is judged and what is sent could differ. */
const BARRED_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'http2-settings',
]);

/**
 * Reads a request out of plain data that anybody may have written. Every part that HTTP or the limits do not allow is
 * refused; nothing is repaired but the names of headers, and the three that say nothing are left out.
 *
 * @example
 * parseFetchRequest({ url: 'https://a.example/', method: 'GET', headers: [['host', 'b']] }) // { ok: false, … }
 */
export function parseFetchRequest(value: unknown): ParsedFetchRequest {
  const url = own(value, 'url');
  if (typeof url !== 'string') return malformed('url');
  const host = hostForText(url);

  const method = own(value, 'method');
  if (typeof method !== 'string' || method.length > METHOD_CHARS || !TOKEN.test(method)) return malformed('method');
  if (BARRED_METHODS.has(method.toUpperCase())) return refuse(text('fetch.method-barred', { host, method }));

  const redirect = own(value, 'redirect') ?? 'follow';
  if (redirect !== 'follow' && redirect !== 'manual' && redirect !== 'error') return malformed('redirect');

  const given = own(value, 'headers');
  if (!Array.isArray(given)) return malformed('headers');
  const headers: [string, string][] = [];
  let bytes = 0;
  for (const entry of given as readonly unknown[]) {
    const [name, content]: readonly unknown[] = Array.isArray(entry) && entry.length === 2 ? entry : [];
    if (typeof name !== 'string' || typeof content !== 'string') return malformed('headers');
    // Before the patterns, so that their cost is bounded.
    bytes += name.length + content.length;
    if (bytes > fetchLimits.headerBytes) {
      return refuse(text('fetch.headers-too-large', { host, limit: fetchLimits.headerBytes }));
    }
    if (!TOKEN.test(name) || !VALUE.test(content)) return malformed('headers');
    const lower = name.toLowerCase();
    if (DROPPED_HEADERS.has(lower)) continue;
    if (BARRED_HEADERS.has(lower) || lower.startsWith('proxy-')) {
      return refuse(text('fetch.header-barred', { host, header: showText(lower) }));
    }
    headers.push([lower, content]);
  }

  const encoded = own(value, 'body');
  if (encoded === undefined) return { ok: true, request: { url, method, headers, body: undefined, redirect } };
  if (typeof encoded !== 'string') return malformed('body');
  if (encoded.length > Math.ceil(fetchLimits.requestBytes / 3) * 4) {
    return refuse(text('fetch.body-too-large', { host, limit: fetchLimits.requestBytes }));
  }
  if (!BASE64.test(encoded) || /^(?:get|head)$/i.test(method)) return malformed('body');
  const body = Buffer.from(encoded, 'base64');
  if (body.length > fetchLimits.requestBytes) {
    return refuse(text('fetch.body-too-large', { host, limit: fetchLimits.requestBytes }));
  }
  return { ok: true, request: { url, method, headers, body, redirect } };
}

function own(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;
}

function malformed(part: string): ParsedFetchRequest {
  return refuse(text('fetch.malformed', { part }));
}

function refuse(reason: MessageKey): ParsedFetchRequest {
  return { ok: false, refused: reason };
}
