import { lookup } from 'node:dns/promises';
import type { FetchAnswer, FetchFailureKind } from '../contracts/fetch-exchange.ts';
import { fetchLimits } from '../contracts/fetch-limits.ts';
import type { MessageKey } from '../contracts/message-key.ts';
import { orAborted } from '../contracts/or-aborted.ts';
import { showText } from '../contracts/show-text.ts';
import { text } from '../contracts/texts/text.ts';
import type { UrlRules } from '../contracts/url-policy.ts';
import { judgeAddresses } from '../policy/judge-addresses.ts';
import { judgeUrl } from '../policy/judge-url.ts';
import { followRedirect } from './follow-redirect.ts';
import { hostForText } from './host-for-text.ts';
import { type CheckedRequest, parseFetchRequest } from './parse-fetch-request.ts';
import { readAnswerBody } from './read-answer-body.ts';
import { type PinnedAnswer, sendPinned } from './send-pinned.ts';
import { Turnstile } from './turnstile.ts';

export interface HostFetchOptions {
  readonly rules: UrlRules;
  /** Of this program; requests without a `User-Agent` of their own say `baigong/<version>`. */
  readonly version: string;
  /** All addresses of a name. Default: the system's resolver. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
  /** Milliseconds of a whole exchange. Default {@link fetchLimits.timeoutMs}. */
  readonly timeoutMs?: number;
}

/** Answers one request of code; see {@link createHostFetch}. */
export type HostFetch = (request: unknown, signal: AbortSignal) => Promise<FetchAnswer>;

/** Exchanges of one `HostFetch` under way at a time, each of which may hold twice the largest answer in memory. */
const AT_A_TIME = 8;
const WAITING = 256;

/**
 * The host's side of `context.fetch`: sends what code asks for, if the policy allows it, and gives the answer back as
 * plain data. The URL of every hop is judged; its name is resolved once, every address judged, and the connection made
 * to exactly those. At most 5 redirects, 10 MiB of body after decompression, 30 s for everything. No cookies are kept
 * and no proxy of the environment is used.
 *
 * The returned function never rejects and believes nothing of its first argument. Make one per call: at most 8 of its
 * exchanges run at a time, up to 256 more wait within their own time limit.
 *
 * @example
 * const fetch = createHostFetch({ rules: { allowHosts: [] }, version: '0.1.0' });
 * await fetch({ url: 'http://127.0.0.1/', method: 'GET', headers: [] }, signal) // { refused: … }
 */
export function createHostFetch(options: HostFetchOptions): HostFetch {
  const turnstile = new Turnstile(AT_A_TIME, WAITING);
  const limitMs = options.timeoutMs ?? fetchLimits.timeoutMs;

  return async (value, signal) => {
    const parsed = parseFetchRequest(value);
    if (!parsed.ok) return { refused: parsed.refused };
    const { request } = parsed;
    const host = hostForText(request.url);
    const timer = new AbortController();
    const timeout = setTimeout(() => timer.abort(), limitMs);
    const either = AbortSignal.any([signal, timer.signal]);
    try {
      const leave = await turnstile.enter(either);
      if (leave === undefined) return fail('network', text('fetch.busy', { host, limit: WAITING }));
      const work = exchange(request, options, either);
      // Its place is taken until it holds nothing any more, even when nobody waits for it.
      work.then(leave, leave);
      return await orAborted(work, either);
    } catch (error) {
      if (signal.aborted) return fail('aborted', text('fetch.aborted', { host }));
      if (timer.signal.aborted) return fail('timeout', text('fetch.timeout', { host, limitMs }));
      return fail('network', text('fetch.unreachable', { host, code: codeOf(error) }));
    } finally {
      clearTimeout(timeout);
    }
  };
}

async function exchange(first: CheckedRequest, options: HostFetchOptions, signal: AbortSignal): Promise<FetchAnswer> {
  let request = first;
  for (let hop = 0; ; hop += 1) {
    const verdict = await judgeUrl(request.url, options.rules);
    if (!verdict.allow) return { refused: verdict.reason };
    const { url, port } = verdict;
    const host = hostForText(url.href);
    let addresses: readonly string[] = [];
    if (verdict.needsResolving) {
      const found = await resolveName(verdict.host, options.resolve);
      if (!found.ok) return fail('network', text(found.key, { host, code: found.code }));
      addresses = found.addresses;
      const judged = await judgeAddresses(verdict.host, port, addresses, options.rules);
      if (!judged.allow) return { refused: judged.reason };
    }
    signal.throwIfAborted();
    const headers = withDefaults(request.headers, options.version);
    let answer: PinnedAnswer;
    try {
      answer = await sendPinned({ url, addresses, method: request.method, headers, body: request.body }, signal);
    } catch (error) {
      signal.throwIfAborted();
      return fail('network', text('fetch.unreachable', { host, code: codeOf(error) }));
    }
    try {
      const location = headerOf(answer, 'location');
      const next = followRedirect(
        request,
        url,
        answer.status,
        // Written in UTF-8 by servers that do not escape it.
        location === undefined ? undefined : Buffer.from(location, 'latin1').toString(),
      );
      if (next.kind === 'stay' || request.redirect === 'manual') return await finish(answer, url, hop > 0);
      if (request.redirect === 'error') return fail('network', text('fetch.redirect-unwanted', { host }));
      if (next.kind === 'unreadable') return fail('network', text('fetch.redirect-unreadable', { host }));
      if (hop === fetchLimits.redirects) {
        return fail('network', text('fetch.redirect-limit', { host, limit: fetchLimits.redirects }));
      }
      request = next.request;
    } catch (error) {
      signal.throwIfAborted();
      return fail('network', text('fetch.unreachable', { host, code: codeOf(error) }));
    } finally {
      await answer.close();
    }
  }
}

async function finish(answer: PinnedAnswer, url: URL, redirected: boolean): Promise<FetchAnswer> {
  const host = hostForText(url.href);
  const limit = fetchLimits.answerBytes;
  const body = await readAnswerBody(answer.body, headerOf(answer, 'content-encoding') ?? '', limit);
  if (body.ok) {
    const source = new URL(url);
    source.hash = '';
    return {
      status: answer.status,
      statusText: answer.statusText,
      headers: answer.headers,
      body: body.bytes.toString('base64'),
      url: source.href,
      redirected,
    };
  }
  if (body.reason === 'too-large') return fail('too-large', text('fetch.answer-too-large', { host, limit }));
  return fail('network', text('fetch.undecodable', { host, coding: showText(body.coding) }));
}

type Resolved =
  | { readonly ok: true; readonly addresses: readonly string[] }
  | { readonly ok: false; readonly key: 'fetch.no-such-host' | 'fetch.unreachable'; readonly code: string };

async function resolveName(host: string, resolve: HostFetchOptions['resolve']): Promise<Resolved> {
  try {
    const addresses =
      resolve === undefined ? (await lookup(host, { all: true })).map(({ address }) => address) : await resolve(host);
    return addresses.length === 0 ? { ok: false, key: 'fetch.no-such-host', code: 'ENODATA' } : { ok: true, addresses };
  } catch (error) {
    const code = codeOf(error);
    return { ok: false, key: code === 'ENOTFOUND' ? 'fetch.no-such-host' : 'fetch.unreachable', code };
  }
}

function withDefaults(headers: CheckedRequest['headers'], version: string): CheckedRequest['headers'] {
  const names = new Set(headers.map(([name]) => name));
  const defaults = [
    ['user-agent', `baigong/${version}`],
    ['accept', '*/*'],
    ['accept-encoding', 'gzip, deflate, br'],
  ] as const;
  return [...headers, ...defaults.filter(([name]) => !names.has(name))];
}

function headerOf({ headers }: PinnedAnswer, name: string): string | undefined {
  const values = headers.filter(([one]) => one === name).map(([, value]) => value);
  return values.length === 0 ? undefined : values.join(', ');
}

function fail(kind: FetchFailureKind, failed: MessageKey): FetchAnswer {
  return { failed, kind };
}

/** What went wrong in one word; messages of the system name addresses and stay here. */
function codeOf(error: unknown): string {
  const causes = error instanceof AggregateError ? [error, ...error.errors] : [error];
  for (const cause of causes) {
    const code: unknown = (cause as { readonly code?: unknown } | null | undefined)?.code;
    if (typeof code === 'string') return showText(code);
  }
  return error instanceof Error ? error.name : 'unknown';
}
