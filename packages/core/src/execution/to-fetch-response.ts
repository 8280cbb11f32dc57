import type { FetchAnswer } from '../contracts/fetch-exchange.ts';

type Answered = Extract<FetchAnswer, { readonly status: number }>;

/** Answers that have no body by their status. */
const NULL_BODY: ReadonlySet<number> = new Set([101, 204, 205, 304]);

/**
 * A real `Response` of what the host brought: with its `url` and `redirected`, which the constructor cannot set, also
 * in clones, and with any status that a server may give, also beyond the 599 that the constructor takes.
 *
 * @example
 * toFetchResponse({ status: 200, statusText: 'OK', headers: [], body: 'aGk=', url, redirected: false }, 'GET')
 */
export function toFetchResponse(answer: Answered, method: string): Response {
  const { status } = answer;
  const headers = new Headers();
  for (const [name, value] of answer.headers) {
    // A server may send what no `Headers` holds; the rest of its answer is still of use.
    if (isHeader(name, value)) headers.append(name, value);
  }
  const hasBody = !NULL_BODY.has(status) && method !== 'HEAD';
  const isUsual = status >= 200 && status <= 599;
  const response = new Response(hasBody ? Buffer.from(answer.body, 'base64') : null, {
    status: isUsual ? status : 200,
    statusText: /^[\t\x20-\x7e\x80-\xff]*$/.test(answer.statusText) ? answer.statusText : '',
    headers,
  });
  return withOrigin(response, {
    url: answer.url,
    redirected: answer.redirected,
    ...(isUsual ? {} : { status, ok: false }),
  });
}

function isHeader(name: string, value: string): boolean {
  return /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}

function withOrigin(response: Response, values: Readonly<Record<string, string | number | boolean>>): Response {
  const fixed = Object.entries(values).map(([name, value]) => [name, { value, enumerable: true }] as const);
  return Object.defineProperties(response, {
    ...Object.fromEntries(fixed),
    clone: { value: () => withOrigin(Response.prototype.clone.call(response), values) },
  });
}
