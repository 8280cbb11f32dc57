import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ScriptedAnswer, type ScriptedModelServer, startScriptedModel } from '@baigong/testing';
import { afterEach, describe, expect, test } from 'vitest';
import {
  anthropic,
  deepseek,
  failed,
  KEY,
  openaiCompatible,
  providers,
  Session,
  success,
  weather,
} from './fixtures/http-session.ts';
import { resolveModel } from './resolve-model.ts';
import { toModelPrompt } from './to-model-prompt.ts';

const servers: ScriptedModelServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(...answers: ScriptedAnswer[]): Promise<ScriptedModelServer> {
  const server = await startScriptedModel({ answers });
  servers.push(server);
  return server;
}

/** OpenAI's own package puts an error into an object of its own. */
function errorIn(result: string | undefined): unknown {
  const told = JSON.parse(result ?? '') as { readonly error?: unknown };
  return told.error ?? told;
}

describe.each(providers)('$label', (provider) => {
  test('is told the system text, the messages and the tools, and streams its answer', async () => {
    const server = await serve({
      text: '你好，世界 😀',
      chunkSize: 3,
      usage: { inputTokens: 100, outputTokens: 7, cachedInputTokens: 40 },
    });
    const session = await Session.of(provider, server.baseUrl);
    const step = await session.ask('hello');
    expect(step).toMatchObject({
      parts: [{ type: 'text', text: '你好，世界 😀' }],
      calls: [],
      finishReason: 'stop',
      usage: { inputTokens: 100, outputTokens: 7, cachedTokens: 40 },
      notes: [],
    });
    expect(session.said.length).toBeGreaterThan(1);
    expect(session.said.join('')).toBe('你好，世界 😀');
    const [request] = server.requests;
    expect(request).toMatchObject({ format: provider.format, streaming: true, model: provider.model.split('/')[1] });
    expect(request?.system).toBe('Be brief.');
    expect(request?.messages).toMatchObject([{ role: 'user', text: 'hello' }]);
    expect(request?.tools).toMatchObject([
      { name: 'get_weather', description: 'Tells the weather.', schema: weather.inputSchema },
    ]);
    expect(request?.headers[provider.format === 'anthropic' ? 'x-api-key' : 'authorization']).toContain(KEY);
  });

  test('gets two results of one step back, one of them an error, under the ids that it gave', async () => {
    const server = await serve(
      {
        text: 'Let me look.',
        calls: [
          { id: 'first-1', name: 'get_weather', input: { city: '北京' } },
          { id: 'second-2', name: 'get_weather', rawInput: '{ "city" : "X" }' },
        ],
      },
      { text: 'Sunny in 北京.' },
    );
    const session = await Session.of(provider, server.baseUrl);
    const step = await session.ask('weather?');
    expect(step).toMatchObject({
      parts: [{ type: 'text', text: 'Let me look.' }],
      calls: [
        { providerCallId: 'first-1', toolName: 'get_weather', rawInput: '{"city":"北京"}' },
        { providerCallId: 'second-2', toolName: 'get_weather', rawInput: '{ "city" : "X" }' },
      ],
      finishReason: 'tool-calls',
    });
    session.give(success('sunny'), failed);
    await session.ask();
    const [, assistant, results] = server.requests[1]?.messages ?? [];
    expect(assistant).toMatchObject({
      role: 'assistant',
      text: 'Let me look.',
      calls: [
        { id: 'first-1', name: 'get_weather', input: { city: '北京' } },
        { id: 'second-2', name: 'get_weather', input: { city: 'X' } },
      ],
    });
    expect(results?.results.map((result) => result.callId)).toEqual(['first-1', 'second-2']);
    expect(results?.results[0]).toMatchObject({ text: 'sunny', isError: false });
    expect(errorIn(results?.results[1]?.text)).toEqual({
      status: 'error',
      error_type: 'INVALID_ARGUMENTS',
      message: 'no such city',
      hint: 'ask the user',
      retryable: false,
      effect: 'none',
    });
    if (provider.format === 'anthropic') expect(results?.results[1]?.isError).toBe(true);
  });

  test('goes on after malformed arguments, invented names and repeated ids', async () => {
    const server = await serve(
      { calls: [{ id: 'call_0', name: 'get_weather', rawInput: '{"city": "Bei' }] },
      { calls: [{ id: 'call_0', name: '查天气!', rawInput: '"x"' }] },
      { calls: [{ id: 'call_0', name: 'get_weather', rawInput: '' }] },
      { text: 'I give up.' },
    );
    const session = await Session.of(provider, server.baseUrl);
    expect((await session.ask('weather?')).calls[0]?.rawInput).toBe('{"city": "Bei');
    session.give(failed);
    expect((await session.ask()).calls[0]).toMatchObject({ toolName: '查天气!', rawInput: '"x"' });
    session.give(failed);
    await session.ask();
    session.give(failed);
    expect((await session.ask()).parts).toMatchObject([{ text: 'I give up.' }]);
    const messages = server.requests[3]?.messages ?? [];
    const calls = messages.flatMap((message) => message.calls);
    const results = messages.flatMap((message) => message.results);
    expect(calls.map((call) => call.input)).toEqual([{}, {}, {}]);
    expect(new Set(calls.map((call) => call.id)).size).toBe(3);
    expect(results.map((result) => result.callId)).toEqual(calls.map((call) => call.id));
    expect(calls[1]?.name).toMatch(/^[a-zA-Z0-9_-]+$/);
    expect(errorIn(results[0]?.text)).toMatchObject({ arguments_as_written: '{"city": "Bei' });
  });
});

test('Anthropic gets its signed thoughts back, others do not', async () => {
  const server = await serve(
    { reasoning: 'thinking …', calls: [{ name: 'get_weather', input: { city: 'x' } }] },
    { text: 'ok' },
  );
  const session = await Session.of(anthropic, server.baseUrl);
  const step = await session.ask('weather?');
  expect(session.thought.join('')).toBe('thinking …');
  expect(step.parts).toMatchObject([
    { type: 'reasoning', text: 'thinking …', providerData: { provider: 'anthropic' } },
  ]);
  session.give(success('sunny'));
  await session.ask();
  expect(server.requests[1]?.messages[1]?.reasoning).toBe('thinking …');
  const prompt = toModelPrompt({ messages: session.messages, system: '', provider: 'openai', locale: 'en' });
  expect(JSON.stringify(prompt)).not.toContain('thinking');
});

test.each([
  { provider: deepseek, expected: 'thinking …' },
  { provider: openaiCompatible, expected: '' },
])('$provider.label gets back of its thoughts: "$expected"', async ({ provider, expected }) => {
  const server = await serve(
    { reasoning: 'thinking …', calls: [{ name: 'get_weather', input: { city: 'x' } }] },
    { text: 'ok' },
  );
  const session = await Session.of(provider, server.baseUrl);
  await session.ask('weather?');
  expect(session.thought.join('')).toBe('thinking …');
  session.give(success('sunny'));
  await session.ask();
  expect(server.requests[1]?.messages[1]?.reasoning).toBe(expected);
});

test('a history goes from one provider to the next', async () => {
  const server = await serve(
    { calls: [{ id: 'functions.get_weather:0', name: 'get_weather', input: { city: 'x' } }] },
    { text: 'one' },
    { text: 'two' },
    { text: 'three' },
  );
  const [first, second, third] = await Promise.all(
    [openaiCompatible, deepseek, anthropic].map((provider) => Session.of(provider, server.baseUrl)),
  );
  await first?.ask('weather?');
  first?.give(success('sunny'));
  await first?.ask();
  for (const session of [second, third]) {
    session?.messages.push(...(first?.messages ?? []));
    await session?.ask('again?');
  }
  const ids = server.requests.slice(1).map((request) => request.messages[1]?.calls[0]?.id);
  expect(ids).toEqual(['functions.get_weather:0', 'functions.get_weather:0', 'turn_1_0']);
});

test('OPENAI_BASE_URL alone: no key is sent', async () => {
  const server = await serve({ text: 'ok' }, { text: 'ok' });
  const environment = { OPENAI_BASE_URL: `${server.baseUrl}/` };
  for (const model of ['openai/any', 'openai-compatible/org/any']) {
    const resolved = await resolveModel({ model, environment, locale: 'en' });
    await new Session(resolved).ask('hi');
  }
  expect(server.requests.map((request) => [request.path, request.headers.authorization])).toEqual([
    ['/v1/chat/completions', undefined],
    ['/v1/chat/completions', undefined],
  ]);
  expect(server.requests[1]?.model).toBe('org/any');
});

test('ANTHROPIC_BASE_URL may be written with and without its version', async () => {
  const server = await serve({ text: 'ok' }, { text: 'ok' });
  for (const baseUrl of [server.baseUrl, server.baseUrl.replace('/v1', '/')]) {
    await (await Session.of(anthropic, baseUrl)).ask('hi');
  }
  expect(server.requests.map((request) => request.path)).toEqual(['/v1/messages', '/v1/messages']);
});

test('Google’s format, with the signature of a call going back', async () => {
  const bodies: unknown[] = [];
  const call = { functionCall: { name: 'get_weather', args: { city: 'x' } }, thoughtSignature: 'signed' };
  const replies = [call, { text: 'ok' }];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      bodies.push(JSON.parse(body));
      const part = replies.shift();
      const event = {
        candidates: [{ content: { parts: [part] }, finishReason: 'STOP' }],
        usageMetadata: { promptTokenCount: 3 },
      };
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${JSON.stringify(event)}\n\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const environment = {
    GOOGLE_GENERATIVE_AI_API_KEY: KEY,
    GOOGLE_GENERATIVE_AI_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1beta`,
  };
  const session = new Session(await resolveModel({ environment, model: 'google/gemini-3-test', locale: 'en' }));
  const step = await session.ask('weather?');
  expect(step.calls).toMatchObject([{ toolName: 'get_weather', rawInput: '{"city":"x"}' }]);
  session.give(success('sunny'));
  await session.ask();
  expect(JSON.stringify(bodies[1])).toContain('"thoughtSignature":"signed"');
  expect(JSON.stringify(bodies[1])).toContain('sunny');
  await new Promise((resolve) => server.close(resolve));
});
