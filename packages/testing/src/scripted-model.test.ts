import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { openaiBody, post } from './fixtures/post.ts';
import type { ReceivedRequest } from './received-request.ts';
import type { ScriptedModelServer } from './scripted-model-server.ts';
import { startScriptedModel } from './start-scripted-model.ts';

const limit = 64 * 1024 * 1024;

describe('what the server keeps', () => {
  it('is exactly what arrived', async () => {
    const seen: ReceivedRequest[] = [];
    await using server = await startScriptedModel({
      answers: [{ text: 'x' }],
      onRequest: (request) => seen.push(request),
    });
    const before = Date.now();
    const bodyText = `\n{ "model": "any", "messages" :[{"role":"user","content":"\\u4f60好😀"}] , "temperature": 1.0 }`;
    const response = await fetch(`${server.baseUrl}/chat/completions?beta=true`, {
      method: 'POST',
      headers: { 'X-Custom': 'Värde', 'content-type': 'application/json' },
      body: bodyText,
    });
    expect(response.status).toBe(200);
    expect(seen).toEqual(server.requests);
    expect(seen[0]).toMatchObject({
      method: 'POST',
      path: '/v1/chat/completions?beta=true',
      headers: { 'x-custom': 'Värde', 'content-type': 'application/json' },
      bodyText,
      body: { temperature: 1, messages: [{ content: '你好😀' }] },
    });
    expect(seen[0]?.arrivedAt).toBeGreaterThanOrEqual(before);
  });

  it('grows while it is watched', async () => {
    await using server = await startScriptedModel({ answers: [{ text: 'x', repeat: true }] });
    const { requests } = server;
    const waiting = server.waitForRequests(2);
    await post(server, 'openai');
    expect(requests.length).toBe(1);
    await post(server, 'anthropic');
    expect((await waiting).map((request) => request.format)).toEqual(['openai', 'anthropic']);
    expect(await server.waitForRequests(1)).toEqual([requests[0]]);
  });
});

describe('what the server refuses, in the shape of the format', () => {
  const openai = (message: RegExp) => ({
    error: { message: expect.stringMatching(message), type: expect.any(String) },
  });
  const anthropic = (message: RegExp) => ({
    type: 'error',
    error: { type: 'invalid_request_error', message: expect.stringMatching(message) },
  });

  it.each([
    ['openai', '{"model":', openai(/no JSON object/)],
    ['openai', '[]', openai(/no JSON object/)],
    ['openai', '', openai(/no JSON object/)],
    ['anthropic', 'hello', anthropic(/no JSON object/)],
    ['anthropic', { messages: [] }, anthropic(/at least one message/)],
    ['openai', { messages: 'x' }, openai(/Missing required parameter/)],
  ] as const)('%s: %j', async (format, body, expected) => {
    await using server = await startScriptedModel({ answers: [{ text: 'x' }] });
    const response = await post(server, format, body);
    expect(response.status).toBe(400);
    expect(response.headers.get('x-should-retry')).toBe('false');
    expect(await response.json()).toMatchObject(expected);
    expect(server.requests[0]).toMatchObject({ format, answer: { kind: 'refused', status: 400 } });
    if (typeof body === 'string') expect(server.requests[0]?.bodyText).toBe(body);
    expect(server.unusedAnswers).toEqual([0]);
  });

  it('bytes that are no UTF-8', async () => {
    await using server = await startScriptedModel({ answers: [{ text: 'x' }] });
    const body = Buffer.concat([Buffer.from('{"model":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    const response = await fetch(`${server.baseUrl}/chat/completions`, { method: 'POST', body });
    expect(response.status).toBe(400);
    expect(server.requests[0]).toMatchObject({ body: undefined, bodyText: '{"model":"\ufffd"}' });
  });

  it('not what only a real provider would refuse, when lenient', async () => {
    await using server = await startScriptedModel({ answers: [{ text: 'x' }], lenient: true });
    expect((await post(server, 'anthropic', { messages: [] })).status).toBe(200);
  });

  it.each([
    ['POST', '/v1/responses', {}, 404, openai(/Nothing is served at POST \/v1\/responses.*provider\.chat\(model\)/)],
    [
      'POST',
      '/chat/completions',
      {},
      404,
      openai(/POST \/v1\/chat\/completions, POST \/v1\/messages, GET \/v1\/models/),
    ],
    ['GET', '/v1/messages', {}, 405, { type: 'error' }],
    ['POST', '/v1/elsewhere', { 'anthropic-version': '2023-06-01' }, 404, { error: { type: 'not_found_error' } }],
    ['POST', '/v1/models', {}, 404, { error: { code: 'unknown_url' } }],
  ])('%s %s', async (method, path, headers, status, expected) => {
    await using server = await startScriptedModel({ answers: [{ text: 'x' }] });
    const response = await fetch(new URL(path, server.baseUrl), { method, headers });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject(expected);
    expect(server.requests).toMatchObject([{ method, path, answer: { kind: 'refused', status } }]);
  });

  it.each([
    ['announced', { 'content-length': String(limit + 1) }],
    ['sent in chunks', {}],
  ])('a body over 64 MiB, %s', async (_, headers) => {
    await using server = await startScriptedModel({ answers: [{ text: 'x' }] });
    const status = await new Promise((resolve, reject) => {
      const request = httpRequest(`${server.baseUrl}/messages`, { method: 'POST', headers }, (response) => {
        resolve(response.statusCode);
        request.destroy();
      });
      request.on('error', reject);
      if ('content-length' in headers) request.flushHeaders();
      else request.write(Buffer.alloc(limit + 1, 32));
    });
    expect(status).toBe(413);
    expect(server.requests).toMatchObject([{ bodyText: '', answer: { kind: 'refused', status: 413 } }]);
  });

  it('not a body of just 64 MiB', async () => {
    await using server = await startScriptedModel({ answers: [{ text: 'x' }] });
    const json = JSON.stringify(openaiBody);
    const response = await post(server, 'openai', json + ' '.repeat(limit - Buffer.byteLength(json)));
    expect(response.status).toBe(200);
  });
});

describe('GET /models', () => {
  it.each([
    ['openai', {}, { object: 'list', data: [{ id: 'scripted', object: 'model' }] }],
    [
      'anthropic',
      { 'anthropic-version': '2023-06-01' },
      { data: [{ id: 'scripted', type: 'model' }], has_more: false },
    ],
  ])('lists one model in the form of %s', async (_, headers, list) => {
    await using server = await startScriptedModel();
    const response = await fetch(`${server.baseUrl}/models`, { headers });
    expect(await response.json()).toMatchObject(list);
    expect(server.requests).toMatchObject([{ format: undefined, answer: { kind: 'models' } }]);
  });
});

describe('answers that are functions', () => {
  it('may wait for the test', async () => {
    const gate = Promise.withResolvers<{ text: string }>();
    await using server = await startScriptedModel({ answers: [() => gate.promise, { text: 'second' }] });
    const first = post(server, 'openai');
    await server.waitForRequests(1);
    const second = await post(server, 'openai');
    expect(await second.json()).toMatchObject({ choices: [{ message: { content: 'second' } }] });
    gate.resolve({ text: 'first' });
    expect(await (await first).json()).toMatchObject({ choices: [{ message: { content: 'first' } }] });
  });

  it('get the request they answer, and may repeat', async () => {
    await using server = await startScriptedModel({
      answers: [{ repeat: true, when: { lastUser: '你' }, reply: (request) => ({ text: `${request.index}` }) }],
    });
    for (const content of ['0', '1']) {
      expect(await (await post(server, 'openai')).json()).toMatchObject({ choices: [{ message: { content } }] });
    }
  });

  it.each<[string, () => never, RegExp]>([
    [
      'throw',
      () => {
        throw new Error('坏了');
      },
      /failed: 坏了/,
    ],
    ['return nothing', () => undefined as never, /returned no object/],
  ])('are told of when they %s', async (_, reply, message) => {
    await using server = await startScriptedModel({ answers: [reply] });
    const response = await post(server, 'anthropic');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { message: expect.stringMatching(message) } });
    expect(server.requests[0]?.answer).toMatchObject({ kind: 'failed' });
  });

  it('and so is onRequest', async () => {
    await using server = await startScriptedModel({
      answers: [{ text: 'x' }],
      onRequest: () => {
        throw new Error('记录失败');
      },
    });
    expect(await (await post(server, 'openai')).json()).toMatchObject({ error: { message: /记录失败/ } });
  });

  it('and so is an answer that cannot be sent', async () => {
    await using server = await startScriptedModel({ answers: [{ error: { status: 7 } }] });
    expect((await post(server, 'openai')).status).toBe(400);
    expect(server.requests[0]?.answer).toMatchObject({ kind: 'failed' });
  });
});

describe('the same requests in the same order', () => {
  it('get the same bytes', async () => {
    const play = async () => {
      await using server = await startScriptedModel({
        answers: [{ text: 'x', reasoning: 'y', calls: [{ name: 'a' }, { name: 'b' }], repeat: true }],
      });
      const bodies: string[] = [];
      for (const format of ['openai', 'anthropic'] as const) {
        for (const stream of [true, false]) bodies.push(await (await post(server, format, { stream })).text());
      }
      return bodies;
    };
    expect(await play()).toEqual(await play());
  });

  it('have an estimate for usage', async () => {
    await using server = await startScriptedModel({ answers: [{ text: '12345' }] });
    const response = await post(server, 'openai');
    const sent = server.requests[0]?.bodyText.length ?? 0;
    expect(await response.json()).toMatchObject({
      usage: { prompt_tokens: Math.ceil(sent / 4), completion_tokens: 2 },
    });
  });

  it('do not repeat a call id the conversation already has', async () => {
    await using server = await startScriptedModel({ answers: [{ calls: [{ name: 'a' }] }] });
    const call = { id: 'call_1', type: 'function', function: { name: 'a', arguments: '{}' } };
    const messages = [
      ...openaiBody.messages,
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: 'x' },
    ];
    expect(await (await post(server, 'openai', { messages })).json()).toMatchObject({
      choices: [{ message: { tool_calls: [{ id: 'call_2' }] } }],
    });
  });
});

describe('close', () => {
  const answers = [{ hang: true }];

  it('ends connections that hang, and those that are idle or half sent', async () => {
    const server = await startScriptedModel({ answers });
    const hanging = post(server, 'openai');
    const [request] = await server.waitForRequests(1);
    const { port } = new URL(server.baseUrl);
    const halfSent = connect(Number(port), '127.0.0.1');
    await new Promise((resolve) => halfSent.write('POST /v1/messages HTTP/1.1\r\ncontent-length: 9\r\n\r\n{', resolve));
    const halfSentClosed = new Promise((resolve) => halfSent.on('error', () => undefined).on('close', resolve));
    const rejected = expect(hanging).rejects.toThrow('fetch failed');
    await server.close();
    await rejected;
    expect(await request?.ended).toBe('server-closed');
    await halfSentClosed;
    await expect(post(server, 'openai')).rejects.toThrow('fetch failed');
  });

  it('may be called again, and ends those who wait', async () => {
    const server = await startScriptedModel({ answers });
    const waiting = server.waitForRequests(1);
    const rejected = expect(waiting).rejects.toThrow('closed after 0 requests; 1 were waited for');
    await Promise.all([server.close(), server.close(), server[Symbol.asyncDispose]()]);
    await rejected;
    await expect(server.waitForRequests(1)).rejects.toThrow('closed after 0 requests');
  });

  it('is survived by a client that leaves while it sends', async () => {
    await using server = await startScriptedModel({ answers: [{ text: 'x' }] });
    const { port } = new URL(server.baseUrl);
    const leaving = connect(Number(port), '127.0.0.1');
    await new Promise((resolve) => leaving.write('POST /v1/messages HTTP/1.1\r\ncontent-length: 9\r\n\r\n{', resolve));
    leaving.destroy();
    expect((await post(server, 'openai')).status).toBe(200);
    expect(server.requests.length).toBe(1);
  });
});

describe('the address', () => {
  it('is loopback only, at the port that was asked for', async () => {
    const free = await startScriptedModel();
    const port = Number(new URL(free.baseUrl).port);
    await free.close();
    await using server: ScriptedModelServer = await startScriptedModel({ port });
    expect(server.baseUrl).toBe(`http://127.0.0.1:${port}/v1`);
    await expect(startScriptedModel({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    // Only an address bound to 127.0.0.1 alone leaves the other loopback addresses unserved.
    await expect(fetch(`http://127.0.0.2:${port}/v1/models`)).rejects.toThrow('fetch failed');
  });
});
