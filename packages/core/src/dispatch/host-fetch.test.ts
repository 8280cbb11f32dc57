import diagnostics from 'node:diagnostics_channel';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createContextFetch } from '../execution/context-fetch.ts';
import { bodyOf, get, outcomeOf } from './fixtures/fetch-answers.ts';
import { LoopbackServer, type ReceivedRequest } from './fixtures/loopback-server.ts';
import { createHostFetch, type HostFetchOptions } from './host-fetch.ts';

/** Every attempt of undici to connect, by host and port. */
const connections: string[] = [];
const onConnect = (message: unknown) => {
  const { connectParams } = message as { connectParams: { hostname: string; port: string } };
  connections.push(`${connectParams.hostname}:${connectParams.port}`);
};

let answerWith: (request: ReceivedRequest, response: ServerResponse) => void = () => {};
let server: LoopbackServer;

beforeAll(async () => {
  diagnostics.subscribe('undici:client:beforeConnect', onConnect);
  server = await new LoopbackServer((request, response) => answerWith(request, response)).listen();
});
afterAll(async () => {
  diagnostics.unsubscribe('undici:client:beforeConnect', onConnect);
  await server.close();
});
beforeEach(() => {
  connections.length = 0;
  server.received.length = 0;
  answerWith = (_request, response) => response.end('hello');
});

function ask(request: unknown, options: Partial<HostFetchOptions> = {}, signal = new AbortController().signal) {
  const rules = { allowHosts: [server.host] };
  return createHostFetch({ rules, version: '1.2.3', ...options })(request, signal);
}

describe('the cases on file', () => {
  interface UrlCase {
    readonly id: string;
    readonly url: string;
    readonly expect: 'block' | 'allow';
    readonly why: string;
    readonly category: string;
    readonly resolve?: Readonly<Record<string, readonly string[]>>;
    readonly redirects?: readonly string[];
    readonly status?: number;
  }
  const cases = readFileSync(join(import.meta.dirname, '../policy/fixtures/ssrf.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as UrlCase)
    .filter(({ category }) => category !== 'response');

  const blocked = cases.filter((one) => one.expect === 'block' && one.category !== 'redirect');
  it.each(blocked)('$id $url ($why) opens no connection', async ({ url, resolve = {} }) => {
    const answer = await ask(get(url), { resolve: async (host) => resolve[host] ?? resolve[`${host}.`] ?? [] });
    expect(outcomeOf(answer)).toMatch(/^policy\.url-/);
    expect(connections).toEqual([]);
  });

  const redirected = cases.filter(({ category }) => category === 'redirect');
  it.each(redirected)('$id $redirects ($why): $expect', async (one) => {
    // The public places of the case stand on this machine, under their own names.
    const names = Object.keys(one.resolve ?? {});
    const local = (url: string) =>
      url.replace(/^https?:\/\/([^/]+)/, (whole, host: string) =>
        names.includes(host) ? `http://${host}:${server.port}` : whole,
      );
    const locations = (one.redirects ?? []).map(local);
    answerWith = (_request, response) => {
      const location = locations[server.received.length - 1];
      if (location === undefined) response.end('arrived');
      else response.writeHead(one.status ?? 302, { location }).end('on');
    };
    const answer = await ask(get(local(one.url)), {
      rules: { allowHosts: names.map((name) => `${name}:${server.port}`) },
      resolve: async () => ['127.0.0.1'],
    });
    const reached = connections.map((place) => place.replace(/:\d+$/, ''));
    expect(reached.filter((host) => !names.includes(host))).toEqual([]);
    expect(reached.length).toBeGreaterThan(0);
    if (one.expect === 'block') expect(outcomeOf(answer)).toMatch(/^policy\.url-/);
    else expect(bodyOf(answer)).toBe(one.status === 200 ? 'on' : 'arrived');
  });
});

describe('an exchange', () => {
  it('brings status, headers and body as plain data', async () => {
    answerWith = (_request, response) => {
      response.writeHead(404, 'Nicht da', {
        'x-name': Buffer.from('茶').toString('latin1'),
        'set-cookie': ['a=1', 'b=2'],
      });
      response.end(Buffer.from([0, 255, 10]));
    };
    const answer = await ask(get(`${server.origin}/a?b=c d#frag`));
    expect(answer).toMatchObject({ status: 404, statusText: 'Nicht da', redirected: false });
    expect(answer).toMatchObject({ url: `${server.origin}/a?b=c%20d`, body: 'AP8K' });
    const headers = 'headers' in answer ? answer.headers : [];
    expect(headers).toContainEqual(['set-cookie', 'a=1']);
    expect(headers).toContainEqual(['set-cookie', 'b=2']);
    expect(headers).toContainEqual(['x-name', Buffer.from('茶').toString('latin1')]);
    expect(server.received[0]?.path).toBe('/a?b=c%20d');
    expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
  });

  it('says who asks, unless the code says so itself', async () => {
    await ask(get(server.origin));
    await ask(get(server.origin, [['User-Agent', 'mine']]));
    expect(server.received.map(({ headers }) => headers['user-agent'])).toEqual(['baigong/1.2.3', 'mine']);
  });

  it('sends a binary body with its length', async () => {
    const body = Buffer.from([0, 1, 2, 255, 254]);
    await ask({ url: server.origin, method: 'POST', headers: [['x-a', 'é']], body: body.toString('base64') });
    expect(server.received[0]).toMatchObject({ method: 'POST', headers: { 'content-length': '5', 'x-a': 'é' } });
    expect(server.received[0]?.body).toEqual(body);
  });

  it('connects to the address that was judged, asking the resolver once', async () => {
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    const asked: string[] = [];
    const answer = await ask(get(`http://rebind.example:${server.port}/`), {
      rules: { allowHosts: [`rebind.example:${server.port}`] },
      resolve: async (host) => answers[asked.push(host) - 1] ?? [],
    });
    expect(bodyOf(answer)).toBe('hello');
    expect(asked).toEqual(['rebind.example']);
    expect(server.received[0]?.headers.host).toBe(`rebind.example:${server.port}`);
  });

  it('refuses a name with one inner address among public ones, and does not try the public ones', async () => {
    const answer = await ask(get('http://mixed.example/'), { resolve: async () => ['93.184.216.34', '10.0.0.1'] });
    expect(outcomeOf(answer)).toBe('policy.url-leads-inside');
    expect(JSON.stringify(answer)).not.toContain('10.0.0.1');
    expect(connections).toEqual([]);
  });

  it('refuses a host that the tool did not declare', async () => {
    const rules = { allowHosts: [server.host], allowedByTool: ['api.example.com'] };
    expect(outcomeOf(await ask(get(server.origin), { rules }))).toBe('policy.url-not-declared');
    expect(server.received).toEqual([]);
  });

  it.each([
    ['HEAD', 200],
    ['GET', 204],
    ['GET', 304],
  ])('%s answered with %i has no body, whatever its headers promise', async (method, status) => {
    answerWith = (_request, response) =>
      response.writeHead(status, { 'content-encoding': 'gzip', 'x-here': 'yes' }).end();
    const answer = await ask({ url: server.origin, method, headers: [] });
    expect(answer).toMatchObject({ status, body: '' });
  });

  it('gives a 5xx back like any other answer', async () => {
    answerWith = (_request, response) => response.writeHead(503).end('down');
    expect(await ask(get(server.origin))).toMatchObject({ status: 503 });
  });
});

describe('an answer that does not end well', () => {
  it('is given up at the limit when it has no end, and its connection closed', async () => {
    const closed = Promise.withResolvers<void>();
    answerWith = (_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
      };
      response.on('drain', more).on('close', closed.resolve);
      more();
    };
    expect(outcomeOf(await ask(get(server.origin)))).toBe('too-large fetch.answer-too-large');
    await closed.promise;
  });

  it('is given up at the limit when a small body grows in decompression', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    answerWith = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    expect(outcomeOf(await ask(get(server.origin)))).toBe('too-large fetch.answer-too-large');
  });

  it('is a fault when it cannot be decompressed', async () => {
    answerWith = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('plain');
    expect(outcomeOf(await ask(get(server.origin)))).toBe('network fetch.undecodable');
  });

  it('is given up at the time limit while it drips, and its connection closed', async () => {
    const closed = Promise.withResolvers<void>();
    answerWith = (_request, response) => {
      const drip = setInterval(() => response.write('.'), 10);
      response.on('close', () => {
        clearInterval(drip);
        closed.resolve();
      });
    };
    expect(outcomeOf(await ask(get(server.origin), { timeoutMs: 200 }))).toBe('timeout fetch.timeout');
    await closed.promise;
  });

  it('is given up at the time limit when nothing comes at all, over all redirects together', async () => {
    answerWith = ({ path }, response) => {
      if (path === '/') response.writeHead(302, { location: '/never' }).end();
    };
    expect(outcomeOf(await ask(get(server.origin), { timeoutMs: 200 }))).toBe('timeout fetch.timeout');
    expect(server.received.map(({ path }) => path)).toEqual(['/', '/never']);
  });

  it('is given up at the time limit when the resolver does not answer', async () => {
    const never = new Promise<readonly string[]>(() => {});
    const answer = await ask(get('http://slow.example/'), { timeoutMs: 50, resolve: () => never });
    expect(outcomeOf(answer)).toBe('timeout fetch.timeout');
  });

  it('is given up when the call ends, and its connection closed', async () => {
    const call = new AbortController();
    const closed = Promise.withResolvers<void>();
    answerWith = (_request, response) => {
      response.on('close', closed.resolve);
      response.write('begun');
      call.abort();
    };
    expect(outcomeOf(await ask(get(server.origin), {}, call.signal))).toBe('aborted fetch.aborted');
    await closed.promise;
  });

  it('is not even asked for after the call has ended', async () => {
    expect(outcomeOf(await ask(get(server.origin), {}, AbortSignal.abort()))).toBe('aborted fetch.aborted');
    expect(connections).toEqual([]);
  });

  it('fails when the connection is cut in the middle', async () => {
    answerWith = (_request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('half');
      setImmediate(() => response.destroy());
    };
    expect(outcomeOf(await ask(get(server.origin)))).toBe('network fetch.unreachable');
  });

  it.each([
    ['no HTTP', 'SSH-2.0-OpenSSH\r\n\r\n'],
    ['endless headers', `HTTP/1.1 200 OK\r\n${'x-a: b\r\n'.repeat(20_000)}\r\n`],
    ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
  ])('fails when it is %s', async (_what, bytes) => {
    const raw: Server = createServer((socket) => {
      socket.on('error', () => {});
      socket.end(bytes);
    });
    await once(raw.listen(0, '127.0.0.1'), 'listening');
    const host = `127.0.0.1:${(raw.address() as AddressInfo).port}`;
    try {
      const answer = await ask(get(`http://${host}/`), { rules: { allowHosts: [host] } });
      expect(outcomeOf(answer)).toBe('network fetch.unreachable');
    } finally {
      raw.close();
    }
  });

  it('fails when nobody listens, naming neither path nor query', async () => {
    const gone = await new LoopbackServer(() => {}).listen();
    const { host } = gone;
    await gone.close();
    const answer = await ask(get(`http://${host}/v1?key=secret`), { rules: { allowHosts: [host] } });
    expect(answer).toMatchObject({ kind: 'network', failed: { values: { host, code: 'ECONNREFUSED' } } });
    expect(JSON.stringify(answer)).not.toContain('secret');
  });

  it('fails when the name does not exist', async () => {
    const notFound = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
    const unknown = await ask(get('http://gone.example/'), { resolve: () => Promise.reject(notFound) });
    const empty = await ask(get('http://gone.example/'), { resolve: async () => [] });
    expect([outcomeOf(unknown), outcomeOf(empty)]).toEqual([
      'network fetch.no-such-host',
      'network fetch.no-such-host',
    ]);
  });
});

describe('many requests of one call', () => {
  it('run eight at a time, and those that wait end with the call', async () => {
    const call = new AbortController();
    const full = Promise.withResolvers<void>();
    answerWith = () => {
      if (server.received.length === 8) full.resolve();
    };
    const fetch = createHostFetch({ rules: { allowHosts: [server.host] }, version: '1' });
    const answers = Array.from({ length: 20 }, () => fetch(get(server.origin), call.signal));
    await full.promise;
    expect(connections.length).toBe(8);
    call.abort();
    expect(new Set((await Promise.all(answers)).map(outcomeOf))).toEqual(new Set(['aborted fetch.aborted']));
    expect(server.received.length).toBe(8);
  });

  it('all get their turn, but for those beyond what may wait', async () => {
    const fetch = createHostFetch({ rules: { allowHosts: [server.host] }, version: '1' });
    const { signal } = new AbortController();
    const answers = await Promise.all(Array.from({ length: 265 }, () => fetch(get(server.origin), signal)));
    const outcomes = answers.map(outcomeOf);
    expect(outcomes.filter((outcome) => outcome === 200).length).toBe(264);
    expect(outcomes.filter((outcome) => outcome === 'network fetch.busy').length).toBe(1);
  });
});

describe('through both sides', () => {
  it('a tool posts a form and reads JSON', async () => {
    answerWith = ({ body }, response) => response.end(JSON.stringify({ got: body.toString() }));
    const { signal } = new AbortController();
    const host = createHostFetch({ rules: { allowHosts: [server.host] }, version: '1' });
    const tool = createContextFetch({ ask: host, locale: 'en', signal });
    const response = await tool(server.origin, { method: 'POST', body: new URLSearchParams({ q: '茶' }) });
    expect(await response.json()).toEqual({ got: 'q=%E8%8C%B6' });
    await expect(tool('http://169.254.169.254/')).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(tool(server.origin, { headers: { host: 'b' } })).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  });
});
