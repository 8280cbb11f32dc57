import { describe, expect, it } from 'vitest';
import { everything, nothing } from '../fixtures/resolved.ts';
import { openaiFormat } from './openai-format.ts';

const head = { id: 'id-1', created: 1_735_689_600, model: 'any-model', system_fingerprint: 'fp_scripted' };
const usage = {
  prompt_tokens: 10,
  completion_tokens: 5,
  total_tokens: 15,
  prompt_tokens_details: { cached_tokens: 4, audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: 2,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
};

function events(answer: typeof everything, body: object = {}): unknown[] {
  return openaiFormat.streamEvents(answer, body as Record<string, unknown>).map((event) => {
    const data = /^data: (.+)\n\n$/.exec(event)?.[1];
    return data === undefined || data === '[DONE]' ? data : JSON.parse(data);
  });
}

const deltas = (answer: typeof everything) =>
  events(answer).map((event) => {
    const choice = (event as { choices?: { delta: object; finish_reason: unknown }[] }).choices?.[0];
    return choice === undefined ? event : [choice.delta, choice.finish_reason];
  });

describe('the OpenAI stream', () => {
  it('has the deltas in order', () => {
    expect(deltas(everything)).toEqual([
      [{ role: 'assistant', content: '', refusal: null }, null],
      [{ reasoning_content: '想想' }, null],
      [{ content: '你好' }, null],
      [{ content: '😀' }, null],
      [
        { tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '' } }] },
        null,
      ],
      [{ tool_calls: [{ index: 0, function: { arguments: '{"a' } }] }, null],
      [{ tool_calls: [{ index: 0, function: { arguments: '":1' } }] }, null],
      [{ tool_calls: [{ index: 0, function: { arguments: '}' } }] }, null],
      [{ tool_calls: [{ index: 1, id: 'c2', type: 'function', function: { name: 'noop', arguments: '' } }] }, null],
      [{}, 'tool_calls'],
      '[DONE]',
    ]);
  });

  it('has content null when there are only calls', () => {
    expect(deltas({ ...everything, text: '' })[0]).toEqual([{ role: 'assistant', content: null, refusal: null }, null]);
  });

  it('says nothing in three events', () => {
    expect(deltas(nothing)).toEqual([
      [{ role: 'assistant', content: '', refusal: null }, null],
      [{}, 'stop'],
      '[DONE]',
    ]);
  });

  it('tells usage only when asked, in a last chunk without choices', () => {
    const base = { object: 'chat.completion.chunk', ...head };
    const asked = events(everything, { stream_options: { include_usage: true } });
    expect(asked.slice(-3)).toEqual([
      { ...base, choices: [{ index: 0, delta: {}, logprobs: null, finish_reason: 'tool_calls' }], usage: null },
      { ...base, choices: [], usage },
      '[DONE]',
    ]);
    for (const event of asked.slice(0, -2)) expect(event).toMatchObject({ usage: null });
    for (const event of events(everything)) expect(event).not.toHaveProperty('usage');
  });
});

it.each([
  ['stop', 'stop'],
  ['length', 'length'],
  ['tool-calls', 'tool_calls'],
  ['content-filter', 'content_filter'],
  ['odd_one', 'odd_one'],
  ['constructor', 'constructor'],
])('finish reason %s is %s', (finishReason, word) => {
  expect(openaiFormat.wholeBody({ ...nothing, finishReason })).toMatchObject({ choices: [{ finish_reason: word }] });
});

describe('the whole OpenAI answer', () => {
  it('has everything', () => {
    const toolCalls = [
      { id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{"a":1}' } },
      { id: 'c2', type: 'function', function: { name: 'noop', arguments: '' } },
    ];
    const message = {
      role: 'assistant',
      content: '你好😀',
      refusal: null,
      reasoning_content: '想想',
      tool_calls: toolCalls,
    };
    expect(openaiFormat.wholeBody(everything)).toEqual({
      object: 'chat.completion',
      ...head,
      choices: [{ index: 0, message, logprobs: null, finish_reason: 'tool_calls' }],
      usage,
    });
  });

  it.each([
    [nothing, { role: 'assistant', content: '', refusal: null }],
    [{ ...everything, text: '', reasoning: '' }, expect.objectContaining({ content: null })],
  ])('has no more fields than it needs', (answer, message) => {
    expect(openaiFormat.wholeBody(answer)).toMatchObject({ choices: [{ message }] });
  });
});

it.each([
  [400, 'invalid_request_error', null],
  [401, 'invalid_request_error', 'invalid_api_key'],
  [404, 'invalid_request_error', 'model_not_found'],
  [429, 'requests', 'rate_limit_exceeded'],
  [500, 'server_error', null],
  [503, 'server_error', null],
])('error %d is of type %s, code %s', (status, type, code) => {
  expect(openaiFormat.errorBody({ status, message: 'no', param: 'p' })).toEqual({
    error: { message: 'no', type, param: 'p', code },
  });
});

it('lists models', () => {
  expect(openaiFormat.modelList(['a'])).toEqual({
    object: 'list',
    data: [{ id: 'a', object: 'model', created: 1_735_689_600, owned_by: 'scripted' }],
  });
});
