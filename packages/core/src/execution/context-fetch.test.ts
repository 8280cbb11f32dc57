import { describe, expect, it } from 'vitest';
import { AccessDeniedError } from '../authoring/access-denied-error.ts';
import type { ToolFetchInit } from '../authoring/tool-fetch.ts';
import { UpstreamError } from '../authoring/upstream-error.ts';
import type { FetchAnswer, FetchRequest } from '../contracts/fetch-exchange.ts';
import { type ContextFetchOptions, createContextFetch } from './context-fetch.ts';

const answered = (values: Partial<Extract<FetchAnswer, { status: number }>> = {}): FetchAnswer => ({
  status: 200,
  statusText: 'OK',
  headers: [],
  body: Buffer.from('hello').toString('base64'),
  url: 'https://a.example/end',
  redirected: false,
  ...values,
});

/** A host that says what the test wants, and what it was asked. */
function hostSaying(answer: FetchAnswer, options: Partial<ContextFetchOptions> = {}) {
  const asked: FetchRequest[] = [];
  const ask = async (request: FetchRequest) => {
    asked.push(request);
    return answer;
  };
  return { asked, fetch: createContextFetch({ ask, locale: 'en', signal: new AbortController().signal, ...options }) };
}

const sent = async (input: string | URL | Request, init?: ToolFetchInit) => {
  const { asked, fetch } = hostSaying(answered());
  await fetch(input, init);
  const [request] = asked;
  if (request === undefined) throw new Error('the host was not asked');
  expect(JSON.parse(JSON.stringify(request))).toEqual(request);
  return { ...request, body: request.body === undefined ? undefined : Buffer.from(request.body, 'base64').toString() };
};

describe('what the host is asked', () => {
  it.each([
    ['http:\\\\127.0.0.1', 'http:\\\\127.0.0.1'],
    ['/relative', '/relative'],
    ['http://user:word@a.example/', 'http://user:word@a.example/'],
    [new URL('https://A.example/b'), 'https://a.example/b'],
    [new Request('https://a.example/c'), 'https://a.example/c'],
  ])('the URL %s as it was written', async (input, url) => {
    expect(await sent(input)).toMatchObject({ url, method: 'GET', redirect: 'follow', body: undefined });
  });

  it.each([
    ['text', 'tea', 'tea', 'text/plain;charset=UTF-8'],
    ['URLSearchParams', new URLSearchParams({ q: 'a b' }), 'q=a+b', 'application/x-www-form-urlencoded;charset=UTF-8'],
    ['Uint8Array', new Uint8Array([116, 101, 97]), 'tea', undefined],
    ['ArrayBuffer', new Uint8Array([116, 101, 97]).buffer, 'tea', undefined],
    ['Blob', new Blob(['tea'], { type: 'text/x-tea' }), 'tea', 'text/x-tea'],
  ])('a body of %s', async (_kind, body, text, type) => {
    const request = await sent('https://a.example/', { method: 'post', body });
    expect(request).toMatchObject({ method: 'POST', body: text });
    expect(new Map(request.headers).get('content-type')).toBe(type);
  });

  it('a form with a file', async () => {
    const form = new FormData();
    form.set('file', new File(['tea'], 'tea.txt'));
    const request = await sent('https://a.example/', { method: 'POST', body: form });
    expect(request.body).toMatch(/name="file"; filename="tea.txt"[\s\S]*tea/);
    expect(new Map(request.headers).get('content-type')).toMatch(/^multipart\/form-data; boundary=/);
  });

  it('a Request with its body, and what the second argument changes of it', async () => {
    const request = new Request('https://a.example/', { method: 'PUT', body: 'tea', headers: { 'x-a': 'b' } });
    expect(await sent(request, { redirect: 'manual' })).toMatchObject({
      method: 'PUT',
      body: 'tea',
      redirect: 'manual',
      headers: expect.arrayContaining([['x-a', 'b']]),
    });
  });

  it('nothing, when the arguments are ones that `fetch` does not take', async () => {
    const { asked, fetch } = hostSaying(answered());
    await expect(fetch('https://a.example/', { headers: { a: 'b\r\nc: d' } })).rejects.toThrow(TypeError);
    await expect(fetch('https://a.example/', { body: 'tea' })).rejects.toThrow(TypeError);
    await expect(fetch('https://a.example/', { method: 'CONNECT' })).rejects.toThrow(TypeError);
    await expect(fetch('https://a.example/', { integrity: 'sha256-x' })).rejects.toThrow(TypeError);
    expect(asked).toEqual([]);
  });

  it('nothing, when the body is too large, even one without end', async () => {
    const { asked, fetch } = hostSaying(answered());
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024)) });
    const init = { method: 'POST', duplex: 'half' } as const;
    await expect(fetch('https://a.example/', { ...init, body: endless })).rejects.toThrow(RangeError);
    await expect(fetch('https://a.example/', { ...init, body: Buffer.alloc(4 * 1024 * 1024 + 1) })).rejects.toThrow(
      /a\.example/,
    );
    expect(asked).toEqual([]);
  });
});

describe('the answer', () => {
  it('is a Response', async () => {
    const headers = [
      ['content-type', 'application/json'],
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
      ['x-odd', 'a\u0000b'],
    ] as const;
    const body = Buffer.from('{"tea":1}').toString('base64');
    const { fetch } = hostSaying(answered({ status: 201, statusText: 'Made', headers, body, redirected: true }));
    const response = await fetch('https://a.example/');
    expect(response).toBeInstanceOf(Response);
    expect([response.status, response.ok, response.statusText]).toEqual([201, true, 'Made']);
    expect([response.url, response.redirected]).toEqual(['https://a.example/end', true]);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    const clone = response.clone();
    expect([clone.url, clone.redirected, await clone.json()]).toEqual(['https://a.example/end', true, { tea: 1 }]);
    expect(await response.json()).toEqual({ tea: 1 });
  });

  it.each([
    [204, 'GET', null],
    [205, 'GET', null],
    [304, 'GET', null],
    [200, 'HEAD', null],
    [404, 'GET', 'hello'],
    [999, 'GET', 'hello'],
  ])('with %i to %s', async (status, method, text) => {
    const { fetch } = hostSaying(answered({ status }));
    const response = await fetch('https://a.example/', { method, serverErrors: 'return' });
    expect([response.status, response.ok]).toEqual([status, status < 300]);
    expect(response.clone().status).toBe(status);
    expect(response.body === null ? null : await response.text()).toBe(text);
  });

  it('of 500 and above ends as an upstream fault, unless the code wants to see it', async () => {
    const { fetch } = hostSaying(answered({ status: 503, url: 'https://a.example/v1?key=secret' }));
    const fault = await fetch('https://a.example/').catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(UpstreamError);
    expect((fault as Error).message).toBe('a.example answered with 503: it cannot serve this now.');
    expect((await fetch('https://a.example/', { serverErrors: 'return' })).status).toBe(503);
  });

  it.each([
    ['network', UpstreamError],
    ['timeout', UpstreamError],
    ['too-large', RangeError],
    ['aborted', DOMException],
  ] as const)('that failed by %s', async (kind, error) => {
    const failed = { key: 'fetch.unreachable', values: { host: 'a.example', code: 'ECONNRESET' } };
    const { fetch } = hostSaying({ failed, kind }, { locale: 'zh' });
    const fault = await fetch('https://a.example/').catch((thrown: unknown) => thrown);
    expect(fault).toBeInstanceOf(error);
    expect((fault as Error).message).toMatch(/^无法连接 a\.example/);
  });

  it('that was refused', async () => {
    const { fetch } = hostSaying({ refused: { key: 'policy.url-not-public', values: { host: '127.0.0.1' } } });
    const fault = await fetch('http://127.0.0.1/').catch((thrown: unknown) => thrown);
    expect(fault).toBeInstanceOf(AccessDeniedError);
    expect(fault).toMatchObject({ code: 'ACCESS_DENIED', retryable: false });
    expect((fault as Error).message).toMatch(/^127\.0\.0\.1 was not contacted/);
  });
});

describe('an abort', () => {
  const never = () => new Promise<never>(() => {});

  it('of the call or of the request rejects with its reason, also when the host says nothing', async () => {
    const call = new AbortController();
    const request = new AbortController();
    const fetch = createContextFetch({ ask: never, locale: 'en', signal: call.signal });
    const first = fetch('https://a.example/', { signal: request.signal });
    const second = fetch(new Request('https://a.example/'));
    request.abort(new Error('the request'));
    await expect(first).rejects.toThrow('the request');
    call.abort(new Error('the call'));
    await expect(second).rejects.toThrow('the call');
    await expect(fetch('https://a.example/')).rejects.toThrow('the call');
  });

  it('is told to the host', async () => {
    const request = new AbortController();
    const told = Promise.withResolvers<void>();
    const ask: ContextFetchOptions['ask'] = (_request, signal) => {
      signal.addEventListener('abort', () => told.resolve());
      request.abort();
      return never();
    };
    const fetch = createContextFetch({ ask, locale: 'en', signal: new AbortController().signal });
    await expect(fetch('https://a.example/', { signal: request.signal })).rejects.toThrow();
    await told.promise;
  });

  it('ends the wait for a body that does not come', async () => {
    const call = new AbortController();
    const fetch = createContextFetch({ ask: never, locale: 'en', signal: call.signal });
    const stuck = new ReadableStream({ pull: () => call.abort(new Error('the call')) });
    const init = { method: 'POST', body: stuck, duplex: 'half' } as const;
    await expect(fetch('https://a.example/', init)).rejects.toThrow('the call');
  });
});
