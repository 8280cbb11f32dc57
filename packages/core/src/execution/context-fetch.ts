import { AccessDeniedError } from '../authoring/access-denied-error.ts';
import type { ToolFetch } from '../authoring/tool-fetch.ts';
import { UpstreamError } from '../authoring/upstream-error.ts';
import type { FetchAnswer, FetchRequest } from '../contracts/fetch-exchange.ts';
import { fetchLimits } from '../contracts/fetch-limits.ts';
import type { Locale } from '../contracts/locale.ts';
import { orAborted } from '../contracts/or-aborted.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import { toFetchResponse } from './to-fetch-response.ts';

/** Hands a request to the host, over whatever way there is, and brings back what it says. */
export type AskFetch = (request: FetchRequest, signal: AbortSignal) => Promise<FetchAnswer>;

export interface ContextFetchOptions {
  readonly ask: AskFetch;
  /** The language of error messages. */
  readonly locale: Locale;
  /** Of the call; its abort ends every exchange. */
  readonly signal: AbortSignal;
}

/** Only says of what a request consists; its address is never asked for anything. */
const NOWHERE = 'http://nowhere.invalid/';

/**
 * The side of `context.fetch` that runs where the tool runs: turns what `fetch` takes into plain data, and the host's
 * plain answer into a real `Response` or an error. Opens no connection and judges nothing.
 *
 * @example
 * const fetch = createContextFetch({ ask, locale: 'en', signal });
 * const response = await fetch('https://api.example/', { method: 'POST', body: new URLSearchParams({ q: 'tea' }) });
 */
export function createContextFetch({ ask, locale, signal: callSignal }: ContextFetchOptions): ToolFetch {
  return async (input, init) => {
    // The text of a URL goes to the host as it was written: what is judged must not be what a parser made of it.
    const isRequest = input instanceof Request;
    const request = isRequest ? new Request(input, init) : new Request(NOWHERE, init);
    const url = isRequest ? input.url : String(input);
    if (request.integrity !== '') throw new TypeError(renderText(text('fetch.integrity'), locale));
    const signal = AbortSignal.any([callSignal, request.signal]);
    signal.throwIfAborted();

    const body = await orAborted(readBody(request), signal);
    if (body === 'too-large') {
      const host = URL.canParse(url) ? new URL(url).host : url.slice(0, 200);
      throw new RangeError(renderText(text('fetch.body-too-large', { host, limit: fetchLimits.requestBytes }), locale));
    }
    const answer = await orAborted(
      ask(
        {
          url,
          method: request.method,
          headers: [...request.headers],
          redirect: request.redirect,
          ...(body === undefined ? {} : { body: body.toString('base64') }),
        },
        signal,
      ),
      signal,
    );
    if ('refused' in answer) throw new AccessDeniedError(renderText(answer.refused, locale));
    if ('failed' in answer) {
      const message = renderText(answer.failed, locale);
      switch (answer.kind) {
        case 'network':
        case 'timeout':
          throw new UpstreamError(message);
        case 'too-large':
          throw new RangeError(message);
        case 'aborted':
          throw new DOMException(message, 'AbortError');
      }
    }
    if (answer.status >= 500 && init?.serverErrors !== 'return') {
      const { host } = new URL(answer.url);
      throw new UpstreamError(renderText(text('fetch.server-fault', { host, status: answer.status }), locale));
    }
    return toFetchResponse(answer, request.method);
  };
}

async function readBody(request: Request): Promise<Buffer | undefined | 'too-large'> {
  if (request.body === null) return undefined;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body) {
    length += chunk.length;
    if (length > fetchLimits.requestBytes) return 'too-large';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}
