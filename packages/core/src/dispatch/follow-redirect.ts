import type { CheckedRequest } from './parse-fetch-request.ts';

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** What describes a body that is not sent any more. */
const BODY_HEADERS: ReadonlySet<string> = new Set([
  'content-encoding',
  'content-language',
  'content-location',
  'content-type',
]);
/** What was meant for one origin only. */
const ORIGIN_HEADERS: ReadonlySet<string> = new Set(['authorization', 'cookie']);

/** `stay` = the answer itself is what was asked for. */
export type NextHop =
  | { readonly kind: 'stay' }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'go'; readonly request: CheckedRequest };

/**
 * The request that an answer sends on to, by the rules of the Fetch standard for method, body and headers. The new URL
 * is not judged here.
 *
 * @example
 * followRedirect(request, new URL('https://a.example/x'), 302, '/y') // { kind: 'go', request: { url: 'https://a.example/y', … } }
 */
export function followRedirect(
  request: CheckedRequest,
  from: URL,
  status: number,
  location: string | undefined,
): NextHop {
  if (!REDIRECTS.has(status) || location === undefined) return { kind: 'stay' };
  if (!URL.canParse(location, from.href)) return { kind: 'unreadable' };
  const to = new URL(location, from);
  const becomesGet =
    ((status === 301 || status === 302) && request.method === 'POST') ||
    (status === 303 && request.method !== 'GET' && request.method !== 'HEAD');
  const headers = request.headers.filter(
    ([name]) => !(becomesGet && BODY_HEADERS.has(name)) && !(to.origin !== from.origin && ORIGIN_HEADERS.has(name)),
  );
  return {
    kind: 'go',
    request: {
      url: to.href,
      method: becomesGet ? 'GET' : request.method,
      headers,
      body: becomesGet ? undefined : request.body,
      redirect: request.redirect,
    },
  };
}
