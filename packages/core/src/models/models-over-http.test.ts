import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Answer, type ScriptedAnswer, type ScriptedModelServer, startScriptedModel } from '@baigong/testing';
import { afterEach, describe, expect, test } from 'vitest';
import type { CallId } from '../contracts/call.ts';
import type { ToolWire } from '../contracts/capability.ts';
import type { Message } from '../contracts/message.ts';
import type { Outcome } from '../contracts/outcome.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import { ModelError } from './model-error.ts';
import { type ModelStep, readModelStream } from './read-model-stream.ts';
import { type ResolvedModel, resolveModel } from './resolve-model.ts';
import { toModelPrompt } from './to-model-prompt.ts';

const KEY = 'sk-verysecret-0123456789';

/** Each way to reach a model, with the format that it speaks. */
const providers = [
  { model: 'openai/gpt-test', key: 'OPENAI_API_KEY', address: 'OPENAI_BASE_URL', format: 'openai' },
  { model: 'deepseek/deepseek-test', key: 'DEEPSEEK_API_KEY', address: 'DEEPSEEK_BASE_URL', format: 'openai' },
  { model: 'anthropic/claude-test', key: 'ANTHROPIC_API_KEY', address: 'ANTHROPIC_BASE_URL', format: 'anthropic' },
] as const;

type Provider = (typeof providers)[number];

const weather: ToolWire = {
  type: 'function',
  name: 'get_weather',
  description: 'Tells the weather.',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

const servers: ScriptedModelServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(...answers: ScriptedAnswer[]): Promise<ScriptedModelServer> {
  const server = await startScriptedModel({ answers });
  servers.push(server);
  return server;
}

/** A session as the agent would hold it: asks, keeps what was answered, runs nothing by itself. */
class Session {
  readonly messages: Message[] = [];
  readonly said: string[] = [];
  readonly thought: string[] = [];
  readonly #resolved: ResolvedModel;
  readonly #step = { number: 0 };

  constructor(resolved: ResolvedModel) {
    this.#resolved = resolved;
  }

  static async of(provider: Provider, baseUrl: string, key: string | undefined = KEY): Promise<Session> {
    const environment = { [provider.address]: baseUrl, [provider.key]: key };
    return new Session(await resolveModel({ model: provider.model, environment, locale: 'en' }));
  }

  async ask(said?: string, signal?: AbortSignal): Promise<ModelStep> {
    if (said !== undefined) this.messages.push({ role: 'user', turnId: 'turn', at: 0, speakerId: 'u', text: said });
    const { provider, model } = this.#resolved;
    const prompt = toModelPrompt({ messages: this.messages, system: 'Be brief.', provider, locale: 'en' });
    const step = await readModelStream({
      model,
      provider,
      options: { prompt, tools: [weather], ...(signal === undefined ? {} : { abortSignal: signal }) },
      onText: (delta) => this.said.push(delta),
      onReasoning: (delta) => this.thought.push(delta),
    });
    const number = ++this.#step.number;
    const calls = step.calls.map((call, index) => {
      const id: CallId = `turn.${number}.${index}`;
      return { ...call, id, turnId: 'turn', step: number, index };
    });
    this.messages.push({ role: 'assistant', turnId: 'turn', at: 0, step: number, parts: step.parts, calls });
    return step;
  }

  give(...outcomes: Outcome[]): void {
    const last = this.messages.findLast((message) => message.role === 'assistant');
    for (const [index, outcome] of outcomes.entries()) {
      const call = last?.calls[index];
      if (call === undefined) throw new Error(`there is no call ${index}`);
      const { id, providerCallId, toolName } = call;
      this.messages.push({ role: 'tool', turnId: 'turn', at: 0, callId: id, providerCallId, toolName, outcome });
    }
  }

  async failure(said = 'hi', signal?: AbortSignal): Promise<ModelError> {
    const error: unknown = await this.ask(said, signal).catch((reason: unknown) => reason);
    if (!ModelError.isInstance(error)) throw new Error(`expected a ModelError, got ${String(error)}`);
    return error;
  }
}

function success(value: string): Outcome {
  return { status: 'success', effect: 'none', result: { kind: 'text', value }, durationMs: 1, warnings: [] };
}

const failed: Outcome = {
  status: 'error',
  effect: 'none',
  code: 'INVALID_ARGUMENTS',
  message: text('plain', { text: 'no such city' }),
  hint: text('plain', { text: 'ask the user' }),
  retryable: false,
  durationMs: 1,
};

describe.each(providers)('$model', (provider) => {
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
    expect(JSON.parse(results?.results[1]?.text ?? '')).toEqual({
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
    expect(JSON.parse(results[0]?.text ?? '')).toMatchObject({ arguments_as_written: '{"city": "Bei' });
  });

  test.each<[number, ModelError['code'], boolean]>([
    [400, 'BAD_REQUEST', false],
    [401, 'UNAUTHORIZED', false],
    [402, 'NO_CREDIT', false],
    [403, 'UNAUTHORIZED', false],
    [404, 'UNKNOWN_MODEL', false],
    [429, 'RATE_LIMITED', true],
    [500, 'SERVER_ERROR', true],
    [503, 'SERVER_ERROR', true],
  ])('turns HTTP %i into %s', async (status, code, retryable) => {
    const server = await serve({ error: { status } });
    const error = await (await Session.of(provider, server.baseUrl)).failure();
    expect(error).toMatchObject({ code, retryable });
    expect(error.message).toContain(provider.model);
    expect(String((error.cause as Error).stack)).toContain(`HTTP ${status}`);
    expect(server.requests).toHaveLength(1);
  });

  test.each<[string, NonNullable<Answer['error']>, ModelError['code']]>([
    [
      'a context that is too long',
      { status: 400, message: "This model's maximum context length is 8192 tokens." },
      'CONTEXT_TOO_LONG',
    ],
    [
      'a prompt that is too long',
      { status: 400, message: 'prompt is too long: 210000 tokens > 200000 maximum' },
      'CONTEXT_TOO_LONG',
    ],
    ['a context that is too long, in Chinese', { status: 400, message: '输入长度超过模型上限' }, 'CONTEXT_TOO_LONG'],
    ['a model that is unknown', { status: 400, message: 'Model Not Exist' }, 'UNKNOWN_MODEL'],
    [
      'an account without credit',
      {
        status: 429,
        message: 'You exceeded your quota',
        body: { error: { message: 'no', code: 'insufficient_quota' } },
      },
      'NO_CREDIT',
    ],
    [
      'a key that is refused as a bad request',
      { status: 400, message: 'API key not valid. Please pass a valid API key.' },
      'UNAUTHORIZED',
    ],
  ])('understands %s', async (_name, error, code) => {
    const server = await serve({ error });
    expect((await (await Session.of(provider, server.baseUrl)).failure()).code).toBe(code);
  });

  test('says what the service said of a bad request, whatever form it has', async () => {
    const bodies = [
      undefined,
      { error: { message: 'tools are odd' } },
      { message: 'tools are odd' },
      { detail: 'tools are odd' },
    ];
    const server = await serve(
      ...bodies.map((body) => ({
        error: { status: 400, message: 'tools are odd', ...(body === undefined ? {} : { body }) },
      })),
    );
    const session = await Session.of(provider, server.baseUrl);
    for (const _ of bodies) expect((await session.failure()).message).toContain('tools are odd');
  });

  test('never shows its key, though the service does', async () => {
    const echo = `no good: ${KEY} (${encodeURIComponent(KEY)})`;
    const server = await serve(
      { error: { status: 400, message: echo } },
      { error: { status: 401, message: echo } },
      { error: { status: 500, body: echo } },
      { error: { status: 400, body: { message: `${'x'.repeat(3_970)} ${KEY}` } } },
    );
    const session = await Session.of(provider, server.baseUrl);
    for (let count = 0; count < 4; count += 1) {
      const error = await session.failure();
      const cause = error.cause as Error;
      const shown = [
        error.message,
        error.stack,
        renderText(error.reason, 'zh'),
        cause.message,
        cause.stack,
        JSON.stringify(error),
      ];
      for (const words of shown) expect(words).not.toMatch(/verysecret/);
    }
  });

  test.each([1, 3, 5])('takes an answer that breaks off after %i events for one error', async (cut) => {
    const server = await serve({ text: 'a long answer, said in pieces', calls: [{ name: 'get_weather' }], cut });
    const error = await (await Session.of(provider, server.baseUrl)).failure();
    expect(error).toMatchObject({ code: 'BROKEN_ANSWER', retryable: true });
  });

  test('takes an answer that ends without its end for an error', async () => {
    const events =
      provider.format === 'openai'
        ? ['data: {"id":"1","choices":[{"delta":{"content":"half"}}]}\n\n']
        : [
            'event: message_start\ndata: {"type":"message_start","message":{"id":"m","model":"x","role":"assistant","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}\n\n',
            'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\n',
            'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"half"}}\n\n',
          ];
    const server = await serve({ rawEvents: events }, { rawEvents: ['data: {not json\n\n'] }, { rawEvents: [] });
    const session = await Session.of(provider, server.baseUrl);
    for (let count = 0; count < 3; count += 1) {
      expect(await session.failure()).toMatchObject({ code: 'BROKEN_ANSWER', retryable: true });
    }
  });

  test('reports an error within the stream', async () => {
    const event =
      provider.format === 'openai'
        ? 'data: {"error":{"message":"Too many requests","type":"rate_limit_error","code":"rate_limit_exceeded"}}\n\n'
        : 'event: error\ndata: {"type":"error","error":{"type":"rate_limit_error","message":"Too many requests"}}\n\n';
    const server = await serve({ rawEvents: event });
    const error = await (await Session.of(provider, server.baseUrl)).failure();
    expect(error).toMatchObject({ code: 'RATE_LIMITED', retryable: true });
  });

  test.each<[string, Answer, string]>([
    ['nothing', { text: '' }, 'EMPTY_ANSWER'],
    ['blanks', { text: ' \n' }, 'EMPTY_ANSWER'],
    ['thoughts only', { reasoning: 'hm' }, 'EMPTY_ANSWER'],
    ['nothing, for its length', { text: '', finishReason: 'length' }, 'EMPTY_ANSWER'],
  ])('takes %s for an empty answer', async (_name, answer, code) => {
    const server = await serve(answer);
    expect((await (await Session.of(provider, server.baseUrl)).failure()).code).toBe(code);
  });

  test('keeps an answer that was cut for its length, and says so', async () => {
    const server = await serve({ text: 'to be continued', finishReason: 'length' });
    expect(await (await Session.of(provider, server.baseUrl)).ask('hi')).toMatchObject({
      parts: [{ text: 'to be continued' }],
      finishReason: 'length',
    });
  });

  test('ends when it is told to, before and within an answer', async () => {
    const server = await serve({ hang: true }, { text: 'a long answer, said in pieces', hang: 5 }, { hang: true });
    const session = await Session.of(provider, server.baseUrl);
    const silent = new AbortController();
    const first = session.failure('hi', silent.signal);
    await server.waitForRequests(1);
    silent.abort();
    expect(await first).toMatchObject({ code: 'ABORTED', retryable: false });

    const speaking = new AbortController();
    const second = session.failure('hi', speaking.signal);
    await expect.poll(() => session.said.length).toBeGreaterThan(0);
    speaking.abort(new Error('enough'));
    expect(await second).toMatchObject({ code: 'ABORTED' });

    expect(await session.failure('hi', AbortSignal.timeout(50))).toMatchObject({ code: 'TIMEOUT', retryable: true });
    expect(await server.requests[0]?.ended).toBe('client-left');
  });

  test('says that a service cannot be reached', async () => {
    const server = await serve();
    await server.close();
    const error = await (await Session.of(provider, server.baseUrl)).failure();
    expect(error).toMatchObject({ code: 'NO_CONNECTION', retryable: true });
    expect(error.message).toContain(new URL(server.baseUrl).host);
  });
});

test('Anthropic gets its signed thoughts back, others do not', async () => {
  const server = await serve(
    { reasoning: 'thinking …', calls: [{ name: 'get_weather', input: { city: 'x' } }] },
    { text: 'ok' },
  );
  const session = await Session.of(providers[2], server.baseUrl);
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
  { provider: providers[1], expected: 'thinking …' },
  { provider: providers[0], expected: '' },
])('$provider.model gets back of its thoughts: "$expected"', async ({ provider, expected }) => {
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
  const [first, second, third] = await Promise.all(providers.map((provider) => Session.of(provider, server.baseUrl)));
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
    await (await Session.of(providers[2], baseUrl)).ask('hi');
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
