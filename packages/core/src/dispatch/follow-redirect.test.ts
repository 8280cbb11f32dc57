import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bodyOf, get, outcomeOf } from './fixtures/fetch-answers.ts';
import { LoopbackServer, type ReceivedRequest } from './fixtures/loopback-server.ts';
import { createHostFetch } from './host-fetch.ts';

let answerWith: (request: ReceivedRequest, response: ServerResponse) => void = () => {};
let server: LoopbackServer;
let other: LoopbackServer;

beforeAll(async () => {
  server = await new LoopbackServer((request, response) => answerWith(request, response)).listen();
  other = await new LoopbackServer((_request, response) => response.end('other')).listen();
});
afterAll(async () => {
  await server.close();
  await other.close();
});
beforeEach(() => {
  server.received.length = 0;
  other.received.length = 0;
});

function ask(request: unknown) {
  const fetch = createHostFetch({ rules: { allowHosts: [server.host, other.host] }, version: '1.2.3' });
  return fetch(request, new AbortController().signal);
}

describe('a redirect', () => {
  const to = (status: number, location: string) => {
    answerWith = ({ path }, response) => {
      if (path === '/start') response.writeHead(status, { location }).end();
      else response.end('arrived');
    };
  };
  const post = () => ({
    url: `${server.origin}/start`,
    method: 'POST',
    headers: [
      ['content-type', 'text/plain'],
      ['authorization', 'Bearer x'],
    ],
    body: Buffer.from('body').toString('base64'),
  });

  it.each([
    [301, 'GET', ''],
    [302, 'GET', ''],
    [303, 'GET', ''],
    [307, 'POST', 'body'],
    [308, 'POST', 'body'],
  ])('with %i repeats a POST as %s', async (status, method, body) => {
    to(status, 'next?a=1');
    const answer = await ask(post());
    expect(answer).toMatchObject({ status: 200, redirected: true, url: `${server.origin}/next?a=1` });
    const second = server.received[1];
    expect([second?.method, second?.body.toString()]).toEqual([method, body]);
    expect(second?.headers['content-type']).toBe(body === '' ? undefined : 'text/plain');
    expect(second?.headers.authorization).toBe('Bearer x');
  });

  it.each([
    ['PUT', 303, 'GET'],
    ['PUT', 302, 'PUT'],
    ['HEAD', 303, 'HEAD'],
    ['DELETE', 301, 'DELETE'],
  ])('of a %s with %i becomes a %s', async (method, status, after) => {
    to(status, '/next');
    await ask({ url: `${server.origin}/start`, method, headers: [] });
    expect(server.received.map((one) => one.method)).toEqual([method, after]);
  });

  it('to another origin carries neither authorization nor cookies', async () => {
    to(307, `${other.origin}/next`);
    const headers = [
      ['Authorization', 'Bearer x'],
      ['Cookie', 'a=b'],
      ['x-kept', 'yes'],
    ] as const;
    expect(bodyOf(await ask(get(`${server.origin}/start`, headers)))).toBe('other');
    expect(server.received[0]?.headers).toMatchObject({ authorization: 'Bearer x', cookie: 'a=b' });
    expect(other.received[0]?.headers).toMatchObject({ 'x-kept': 'yes' });
    expect(other.received[0]?.headers).not.toHaveProperty('authorization');
    expect(other.received[0]?.headers).not.toHaveProperty('cookie');
  });

  it.each([
    ['http://127.0.0.1:8080/', 'policy.url-not-public'],
    ['//localhost/', 'policy.url-special-name'],
    ['http://user:word@example.com/', 'policy.url-credentials'],
    ['file:///etc/passwd', 'policy.url-scheme'],
    ['data:text/plain,x', 'policy.url-scheme'],
    ['http://[', 'network fetch.redirect-unreadable'],
    [`/${'a'.repeat(9_000)}`, 'policy.url-too-long'],
  ])('to %s: %s', async (location, outcome) => {
    to(302, location);
    expect(outcomeOf(await ask(get(`${server.origin}/start`)))).toBe(outcome);
    expect(server.received.length).toBe(1);
    expect(other.received).toEqual([]);
  });

  it('is followed five times and no more', async () => {
    answerWith = ({ path }, response) => {
      const left = Number(path.slice(1));
      if (left === 0) response.end('arrived');
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    };
    expect(bodyOf(await ask(get(`${server.origin}/5`)))).toBe('arrived');
    server.received.length = 0;
    expect(outcomeOf(await ask(get(`${server.origin}/6`)))).toBe('network fetch.redirect-limit');
    expect(server.received.length).toBe(6);
  });

  it('is given back with `manual`, and a fault with `error`', async () => {
    to(302, 'http://127.0.0.1:1/');
    const request = get(`${server.origin}/start`);
    expect(await ask({ ...request, redirect: 'manual' })).toMatchObject({ status: 302, redirected: false });
    expect(outcomeOf(await ask({ ...request, redirect: 'error' }))).toBe('network fetch.redirect-unwanted');
  });

  it('without a place to go, or that is none, is an answer', async () => {
    answerWith = (_request, response) => response.writeHead(302).end('stay');
    expect(bodyOf(await ask(get(server.origin)))).toBe('stay');
    answerWith = (_request, response) => response.writeHead(201, { location: '/made' }).end('made');
    expect(bodyOf(await ask(get(server.origin)))).toBe('made');
  });

  it('to a place written in UTF-8 is understood', async () => {
    to(302, Buffer.from('/茶').toString('latin1'));
    await ask(get(`${server.origin}/start`));
    expect(server.received[1]?.path).toBe('/%E8%8C%B6');
  });

  it('is followed without waiting for the end of its own body, and that connection closed', async () => {
    const closed = Promise.withResolvers<void>();
    answerWith = ({ path }, response) => {
      if (path !== '/start') return void response.end('arrived');
      response.writeHead(302, { location: '/next' });
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
      };
      response.on('drain', more).on('close', closed.resolve);
      more();
    };
    expect(bodyOf(await ask(get(`${server.origin}/start`)))).toBe('arrived');
    await closed.promise;
  });
});
