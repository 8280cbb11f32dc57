import { type Answer, type ScriptedAnswer, type ScriptedModelServer, startScriptedModel } from '@baigong/testing';
import { afterEach, describe, expect, test } from 'vitest';
import { renderText } from '../contracts/texts/render-text.ts';
import { KEY, providers, Session } from './fixtures/http-session.ts';
import type { ModelError } from './model-error.ts';

const servers: ScriptedModelServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(...answers: ScriptedAnswer[]): Promise<ScriptedModelServer> {
  const server = await startScriptedModel({ answers });
  servers.push(server);
  return server;
}

describe.each(providers)('$label', (provider) => {
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
    const server = await serve({
      text: 'a long answer, said in pieces',
      calls: [{ name: 'get_weather' }],
      cut,
    });
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
