import { APICallError } from '@ai-sdk/provider';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ask, userPrompt, weatherTool } from './fixtures/ask.ts';
import { providerCases } from './fixtures/provider-cases.ts';
import { startScriptedModel } from './start-scripted-model.ts';

const modes = ['stream', 'generate'] as const;
const cases = providerCases.flatMap((provider) => modes.map((mode) => ({ ...provider, mode })));
const prompt = userPrompt('北京天气');

/** An answer that fails half-way, as no script of texts and calls would say it. */
const eventsThatFail = {
  openai: [
    'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"好"}}]}\n\n',
    'data: {"error":{"message":"爆炸","type":"server_error"}}\n\n',
    'data: [DONE]\n\n',
  ],
  anthropic: [
    'event: message_start\ndata: {"type":"message_start","message":{"id":"m","usage":{"input_tokens":1}}}\n\n',
    'data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\n',
    'data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"好"}}\n\n',
    'event: error\ndata: {"type":"error","error":{"type":"api_error","message":"爆炸"}}\n\n',
  ],
};

describe.each(cases)('$name, $mode', ({ connect, format, readsReasoning, callIdPrefix, mode }) => {
  it('brings text, reasoning, parallel calls, finish reason and usage', async () => {
    const cities = [
      { city: '北京', note: '😀\n"引号"\\' },
      { city: '上海', days: [1, 2.5, null] },
    ];
    await using server = await startScriptedModel({
      answers: [
        {
          reasoning: '用户想知道天气。',
          text: '我来查一查北京和上海的天气。',
          calls: cities.map((input) => ({ name: 'get_weather', input })),
          usage: { inputTokens: 100, outputTokens: 20, cachedInputTokens: 30, reasoningTokens: 5 },
        },
      ],
    });
    const outcome = await ask[mode](connect(server.baseUrl), { prompt, tools: [weatherTool] });
    expect(outcome).toMatchObject({
      text: '我来查一查北京和上海的天气。',
      reasoning: readsReasoning ? '用户想知道天气。' : '',
      calls: cities.map((input, index) => ({
        id: `${callIdPrefix}${index + 1}`,
        name: 'get_weather',
        input: JSON.stringify(input),
      })),
      finishReason: { unified: 'tool-calls' },
      usage: {
        inputTokens: { total: 100, noCache: 70, cacheRead: 30 },
        outputTokens: { total: 20, text: 15, reasoning: 5 },
      },
      errors: [],
    });
    if (mode === 'stream') expect(outcome.textDeltas).toEqual(['我来查一查北京和', '上海的天气。']);
    expect(server.requests).toMatchObject([
      {
        index: 0,
        method: 'POST',
        path: format === 'openai' ? '/v1/chat/completions' : '/v1/messages',
        format,
        streaming: mode === 'stream',
        headers: format === 'openai' ? { authorization: 'Bearer scripted' } : { 'x-api-key': 'scripted' },
        answer: { kind: 'scripted', position: 0 },
      },
    ]);
    expect(server.requests[0]?.body).toEqual(JSON.parse(server.requests[0]?.bodyText ?? ''));
    expect(await server.requests[0]?.ended).toBe('sent');
  });

  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content-filter', 'content-filter'],
    ['tool-calls', 'tool-calls'],
    ['something_new', 'other'],
  ])('brings the finish reason %s as %s', async (finishReason, unified) => {
    await using server = await startScriptedModel({ answers: [{ text: 'x', finishReason }] });
    expect(await ask[mode](connect(server.baseUrl), { prompt })).toMatchObject({ finishReason: { unified } });
  });

  it('brings an empty answer', async () => {
    await using server = await startScriptedModel({ answers: [{ text: '' }] });
    const outcome = await ask[mode](connect(server.baseUrl), { prompt });
    expect(outcome).toMatchObject({ text: '', calls: [], errors: [], finishReason: { unified: 'stop' } });
  });

  it('brings malformed arguments as they are', async () => {
    const rawInput = '{"city": "北京';
    await using server = await startScriptedModel({
      answers: [{ calls: [{ name: 'get_weather', rawInput, id: 'x1' }] }],
    });
    const { calls } = await ask[mode](connect(server.baseUrl), { prompt, tools: [weatherTool] });
    // Without streaming Anthropic's input is a value, so the text comes as a JSON string.
    const input = format === 'anthropic' && mode === 'generate' ? JSON.stringify(rawInput) : rawInput;
    expect(calls).toEqual([{ id: 'x1', name: 'get_weather', input }]);
  });

  it.each([
    [400, false],
    [401, false],
    [429, true],
    [500, true],
    [529, true],
  ])('brings error %d, retryable %j', async (status, isRetryable) => {
    const error = { status, message: '配额用完', headers: { 'retry-after': '7' } };
    await using server = await startScriptedModel({ answers: [{ error }] });
    const failure = await ask[mode](connect(server.baseUrl), { prompt }).catch((reason: unknown) => reason);
    expect(APICallError.isInstance(failure)).toBe(true);
    expect(failure).toMatchObject({
      statusCode: status,
      message: '配额用完',
      isRetryable,
      responseHeaders: { 'retry-after': '7' },
    });
  });

  it('brings an error body as it is', async () => {
    const error = { status: 502, body: '<html>Bad Gateway</html>' };
    await using server = await startScriptedModel({ answers: [{ error }] });
    await expect(ask[mode](connect(server.baseUrl), { prompt })).rejects.toMatchObject({
      statusCode: 502,
      responseBody: '<html>Bad Gateway</html>',
    });
  });

  it('says that no answer is left, in a way nobody retries', async () => {
    await using server = await startScriptedModel({ answers: [{ text: 'x', when: { lastUser: '上海' } }] });
    await expect(ask[mode](connect(server.baseUrl), { prompt })).rejects.toMatchObject({
      statusCode: 400,
      isRetryable: false,
      message: expect.stringContaining('no answer for request 0. Answer 0: the last user message is "北京天气"'),
    });
    expect(server.requests[0]?.answer).toMatchObject({ kind: 'none-left', status: 400 });
    expect(server.unusedAnswers).toEqual([0]);
  });

  it('lets the client leave a model that hangs', async () => {
    await using server = await startScriptedModel({ answers: [{ hang: true }] });
    const leaving = new AbortController();
    const asked = ask[mode](connect(server.baseUrl), { prompt, abortSignal: leaving.signal });
    const [request] = await server.waitForRequests(1);
    leaving.abort();
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
    expect(await request?.ended).toBe('client-left');
  });

  it('plays a conversation with a tool', async () => {
    await using server = await startScriptedModel({
      answers: [
        { calls: [{ name: 'get_weather', input: { city: '北京' } }] },
        (request) => ({ text: `结果是${request.messages.at(-1)?.results[0]?.text}` }),
      ],
    });
    const model = connect(server.baseUrl);
    const first = await ask[mode](model, { prompt, tools: [weatherTool] });
    const toolCallId = first.calls[0]?.id ?? '';
    const second = await ask[mode](model, {
      tools: [weatherTool],
      prompt: [
        ...prompt,
        {
          role: 'assistant',
          content: [{ type: 'tool-call', toolCallId, toolName: 'get_weather', input: { city: '北京' } }],
        },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId, toolName: 'get_weather', output: { type: 'text', value: '晴' } },
          ],
        },
      ],
    });
    expect(second.text).toBe('结果是晴');
    expect(server.requests[1]?.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'tool']);
  });
});

describe.each(providerCases)('$name', ({ connect, format, readsReasoning }) => {
  it('brings any text, reasoning and arguments in any pieces', async () => {
    await using server = await startScriptedModel();
    const model = connect(server.baseUrl);
    // Every UTF-16 unit on its own, lone surrogates included, beside whole graphemes.
    const units = fc.array(fc.integer({ min: 0, max: 0xffff })).map((codes) => String.fromCharCode(...codes));
    const anyText = fc.oneof(units, fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }));
    const chunk = fc.integer({ min: 1, max: 12 });
    await fc.assert(
      fc.asyncProperty(
        anyText,
        anyText,
        fc.dictionary(anyText, anyText),
        chunk,
        async (text, reasoning, input, size) => {
          server.add({ text, reasoning, calls: [{ name: 'get_weather', input }], chunkSize: size });
          const outcome = await ask.stream(model, { prompt, tools: [weatherTool] });
          expect(outcome.text).toBe(text);
          if (readsReasoning) expect(outcome.reasoning).toBe(reasoning);
          expect(outcome.calls.map((call) => call.input)).toEqual([JSON.stringify(input)]);
          expect(outcome.errors).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('reads what came before a cut, and sees the cut', async () => {
    await using server = await startScriptedModel({ answers: [{ text: 'abcdefghij', chunkSize: 1, cut: 6 }] });
    const outcome = await ask.stream(connect(server.baseUrl), { prompt });
    expect(outcome.text).toBe(format === 'openai' ? 'abcde' : 'abc');
    expect(outcome.errors).toMatchObject([{ cause: { message: 'terminated' } }]);
    expect(outcome.finishReason).toBeUndefined();
    expect(await server.requests[0]?.ended).toBe('cut');
  });

  it('reads raw events', async () => {
    await using server = await startScriptedModel({ answers: [{ rawEvents: eventsThatFail[format] }] });
    const outcome = await ask.stream(connect(server.baseUrl), { prompt });
    expect(outcome.text).toBe('好');
    expect(outcome.errors).toEqual([expect.objectContaining({ message: '爆炸' })]);
  });

  it('serves conversations at once, each with its own answers', async () => {
    const topics = Array.from({ length: 20 }, (_, index) => `话题${index}号`);
    await using server = await startScriptedModel({
      // In reverse, so that the order of the script cannot give the right answers by chance.
      answers: topics.toReversed().map((topic) => ({ text: `回答：${topic}`, when: { lastUser: topic } })),
    });
    const model = connect(server.baseUrl);
    const outcomes = await Promise.all(topics.map((topic) => ask.stream(model, { prompt: userPrompt(topic) })));
    expect(outcomes.map((outcome) => outcome.text)).toEqual(topics.map((topic) => `回答：${topic}`));
    expect(server.unusedAnswers).toEqual([]);
  });
});

it('lets Anthropic thinking travel with its signature', async () => {
  await using server = await startScriptedModel({ answers: [{ reasoning: '想', text: '说' }] });
  const anthropic = providerCases.find((provider) => provider.format === 'anthropic');
  const result = await anthropic?.connect(server.baseUrl).doGenerate({ prompt });
  expect(result?.content[0]).toMatchObject({
    type: 'reasoning',
    providerMetadata: { anthropic: { signature: 'scripted-signature-msg_1' } },
  });
});
