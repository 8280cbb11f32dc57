import { describe, expect, it } from 'vitest';
import { everything, nothing } from '../fixtures/resolved.ts';
import { anthropicFormat } from './anthropic-format.ts';

const head = { id: 'id-1', type: 'message', role: 'assistant', model: 'any-model' };
const inputUsage = { input_tokens: 5, cache_creation_input_tokens: 1, cache_read_input_tokens: 4 };
const usage = { ...inputUsage, output_tokens: 5, output_tokens_details: { thinking_tokens: 2 } };
const signature = 'scripted-signature-id-1';

function events(answer: typeof everything): object[] {
  return anthropicFormat.streamEvents(answer, {}).map((event) => {
    const match = /^event: (.+)\ndata: (.+)\n\n$/.exec(event);
    const data = JSON.parse(match?.[2] ?? '{}');
    expect(data.type).toBe(match?.[1]);
    return data;
  });
}

const start = (index: number, block: object) => ({ type: 'content_block_start', index, content_block: block });
const delta = (index: number, content: object) => ({ type: 'content_block_delta', index, delta: content });
const stop = (index: number) => ({ type: 'content_block_stop', index });

describe('the Anthropic stream', () => {
  it('has the events in order', () => {
    expect(events(everything)).toEqual([
      {
        type: 'message_start',
        message: {
          ...head,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { ...inputUsage, output_tokens: 1 },
        },
      },
      start(0, { type: 'thinking', thinking: '', signature: '' }),
      { type: 'ping' },
      delta(0, { type: 'thinking_delta', thinking: '想想' }),
      delta(0, { type: 'signature_delta', signature }),
      stop(0),
      start(1, { type: 'text', text: '' }),
      delta(1, { type: 'text_delta', text: '你好' }),
      delta(1, { type: 'text_delta', text: '😀' }),
      stop(1),
      start(2, { type: 'tool_use', id: 'c1', name: 'get_weather', input: {} }),
      delta(2, { type: 'input_json_delta', partial_json: '' }),
      delta(2, { type: 'input_json_delta', partial_json: '{"a' }),
      delta(2, { type: 'input_json_delta', partial_json: '":1' }),
      delta(2, { type: 'input_json_delta', partial_json: '}' }),
      stop(2),
      start(3, { type: 'tool_use', id: 'c2', name: 'noop', input: {} }),
      delta(3, { type: 'input_json_delta', partial_json: '' }),
      stop(3),
      { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage },
      { type: 'message_stop' },
    ]);
  });

  it('says nothing in three events', () => {
    expect(events(nothing).map((event) => (event as { type: string }).type)).toEqual([
      'message_start',
      'message_delta',
      'message_stop',
    ]);
  });
});

describe('the whole Anthropic answer', () => {
  it('has everything, and a malformed input as a string', () => {
    expect(anthropicFormat.wholeBody(everything)).toEqual({
      ...head,
      content: [
        { type: 'thinking', thinking: '想想', signature },
        { type: 'text', text: '你好😀' },
        { type: 'tool_use', id: 'c1', name: 'get_weather', input: { a: 1 } },
        { type: 'tool_use', id: 'c2', name: 'noop', input: '' },
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage,
    });
  });

  it('has no content when nothing is said', () => {
    const body = anthropicFormat.wholeBody(nothing);
    expect(body).toMatchObject({ content: [], stop_reason: 'end_turn' });
    expect(body.usage).not.toHaveProperty('output_tokens_details');
  });

  it('never reports less than no input tokens', () => {
    const answer = { ...nothing, usage: { ...nothing.usage, cachedInputTokens: 9 } };
    expect(anthropicFormat.wholeBody(answer)).toMatchObject({ usage: { input_tokens: 0, cache_read_input_tokens: 9 } });
  });
});

it.each([
  ['stop', 'end_turn'],
  ['length', 'max_tokens'],
  ['tool-calls', 'tool_use'],
  ['content-filter', 'refusal'],
  ['pause_turn', 'pause_turn'],
])('finish reason %s is %s', (finishReason, word) => {
  expect(anthropicFormat.wholeBody({ ...nothing, finishReason })).toMatchObject({ stop_reason: word });
});

it.each([
  [400, 'invalid_request_error'],
  [401, 'authentication_error'],
  [402, 'billing_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [413, 'request_too_large'],
  [422, 'invalid_request_error'],
  [429, 'rate_limit_error'],
  [500, 'api_error'],
  [504, 'timeout_error'],
  [529, 'overloaded_error'],
])('error %d is of type %s', (status, type) => {
  expect(anthropicFormat.errorBody({ status, message: 'no' })).toEqual({
    type: 'error',
    error: { type, message: 'no' },
  });
});

it('lists models', () => {
  expect(anthropicFormat.modelList(['a', 'b'])).toMatchObject({ has_more: false, first_id: 'a', last_id: 'b' });
  expect(anthropicFormat.modelList([])).toMatchObject({ data: [], first_id: null, last_id: null });
});
