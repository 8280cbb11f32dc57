import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CallId } from '../contracts/call.ts';
import type { AssistantMessage, Message, ProviderData, ToolMessage } from '../contracts/message.ts';
import type { ErrorOutcome, Outcome } from '../contracts/outcome.ts';
import { text } from '../contracts/texts/text.ts';
import { toModelPrompt } from './to-model-prompt.ts';

type Call = AssistantMessage['calls'][number];

const success: Outcome = {
  status: 'success',
  effect: 'none',
  result: { kind: 'text', value: 'sunny' },
  durationMs: 1,
  warnings: [],
};
const failure: ErrorOutcome = {
  status: 'error',
  effect: 'none',
  code: 'INVALID_ARGUMENTS',
  message: text('plain', { text: 'city is missing' }),
  hint: text('plain', { text: 'give it' }),
  retryable: false,
  durationMs: 1,
};

function user(said: string): Message {
  return { role: 'user', turnId: 't', at: 0, speakerId: 'u', text: said };
}

function callOf(index: number, fields: Partial<Call> = {}, step = 1): Call {
  const id: CallId = `t.${step}.${index}`;
  return {
    id,
    turnId: 't',
    step,
    index,
    providerCallId: `call_${step}_${index}`,
    toolName: 'get_weather',
    rawInput: '{}',
    ...fields,
  };
}

function assistant(calls: readonly Call[], parts: AssistantMessage['parts'] = []): AssistantMessage {
  return { role: 'assistant', turnId: 't', at: 0, step: 1, parts, calls };
}

function resultOf(call: Call, outcome: Outcome = success): ToolMessage {
  const { id, providerCallId, toolName } = call;
  return { role: 'tool', turnId: 't', at: 0, callId: id, providerCallId, toolName, outcome };
}

function promptOf(messages: readonly Message[], provider = 'openai', system = ''): LanguageModelV4Prompt {
  return toModelPrompt({ messages, system, provider, locale: 'en' });
}

function callsAndResults(prompt: LanguageModelV4Prompt) {
  const calls = prompt.flatMap((message) =>
    message.role === 'assistant' ? message.content.filter((part) => part.type === 'tool-call') : [],
  );
  const results = prompt.flatMap((message) =>
    message.role === 'tool' ? message.content.filter((part) => part.type === 'tool-result') : [],
  );
  return { calls, results };
}

test('system, user, call, result and answer in the form that providers take', () => {
  const call = callOf(0, { rawInput: '{"city":"北京"}' });
  const messages = [
    user('hello'),
    assistant([call], [{ type: 'text', text: 'Let me see.' }]),
    resultOf(call),
    assistant([], [{ type: 'text', text: 'Sunny.' }]),
  ];
  expect(promptOf(messages, 'openai', 'Be nice.')).toEqual([
    { role: 'system', content: 'Be nice.' },
    { role: 'user', content: [{ type: 'text', text: 'hello' }] },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Let me see.' },
        { type: 'tool-call', toolCallId: 'call_1_0', toolName: 'get_weather', input: { city: '北京' } },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'call_1_0',
          toolName: 'get_weather',
          output: { type: 'text', value: 'sunny' },
        },
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'Sunny.' }] },
  ]);
});

describe('results', () => {
  const [one, two] = [callOf(0), callOf(1)] as const;

  test('of one step are one message behind its calls, in call order, whatever came between', () => {
    const messages = [user('a'), assistant([one, two]), resultOf(two), user('and hurry'), resultOf(one)];
    const prompt = promptOf(messages);
    expect(prompt.map((message) => message.role)).toEqual(['user', 'assistant', 'tool', 'user']);
    expect(callsAndResults(prompt).results.map((result) => result.toolCallId)).toEqual(['call_1_0', 'call_1_1']);
  });

  test('are exactly one for each call', () => {
    const messages = [assistant([one, two]), resultOf(one), resultOf(one, failure), resultOf(callOf(5))];
    const { results } = callsAndResults(promptOf(messages));
    expect(results).toHaveLength(2);
    expect(results[0]?.output).toEqual({ type: 'text', value: 'sunny' });
    expect(results[1]?.output).toMatchObject({
      type: 'error-json',
      value: { error_type: 'OUTCOME_UNKNOWN', effect: 'unknown', retryable: false },
    });
  });

  test.each<[string, Outcome, unknown]>([
    [
      'JSON',
      { ...success, result: { kind: 'json', value: { a: [1, null] } } },
      { type: 'json', value: { a: [1, null] } },
    ],
    ['no text', { ...success, result: { kind: 'text', value: '' } }, { type: 'text', value: '(no output)' }],
    [
      'an error',
      { ...failure, details: { field: 'city' } },
      {
        type: 'error-json',
        value: {
          status: 'error',
          error_type: 'INVALID_ARGUMENTS',
          message: 'city is missing',
          hint: 'give it',
          retryable: false,
          effect: 'none',
          details: { field: 'city' },
        },
      },
    ],
  ])('say %s', (_name, outcome, output) => {
    expect(callsAndResults(promptOf([assistant([one]), resultOf(one, outcome)])).results[0]?.output).toEqual(output);
  });

  test('speak the language that is asked for', () => {
    const prompt = toModelPrompt({ messages: [assistant([one])], system: '', provider: 'openai', locale: 'zh' });
    expect(JSON.stringify(prompt)).toContain('get_weather 的结果已丢失');
  });
});

describe('arguments', () => {
  test.each<[string, string, unknown]>([
    ['an object', '{"a":{"b":[1]}}', { a: { b: [1] } }],
    ['nothing', '', {}],
    ['blanks', ' \n', {}],
    ['long integers keep their digits', '{"id":12345678901234567890}', { id: '12345678901234567890' }],
  ])('%s', (_name, rawInput, input) => {
    const call = callOf(0, { rawInput });
    const { calls, results } = callsAndResults(promptOf([assistant([call]), resultOf(call, failure)]));
    expect(calls[0]?.input).toEqual(input);
    expect(JSON.stringify(results[0])).not.toContain('arguments_as_written');
  });

  test.each(['{"a":', '[1]', '"x"', '5', 'null', 'city=x'])(
    '%j cannot go back as such, so the error shows it',
    (rawInput) => {
      const call = callOf(0, { rawInput });
      const { calls, results } = callsAndResults(promptOf([assistant([call]), resultOf(call, failure)]));
      expect(calls[0]?.input).toEqual({});
      expect(results[0]?.output).toMatchObject({ value: { arguments_as_written: rawInput } });
    },
  );

  test('members with the names of Object’s own stay members', () => {
    const call = callOf(0, { rawInput: '{"__proto__":{"x":1},"constructor":2}' });
    const { calls } = callsAndResults(promptOf([assistant([call])]));
    expect(JSON.stringify(calls[0]?.input)).toBe(call.rawInput);
  });
});

describe('ids', () => {
  test.each([
    ['openai', 'call_abc', true],
    ['openai', 'x'.repeat(41), false],
    ['openai', '', false],
    ['openai', ' ', false],
    ['anthropic', 'toolu_01-A', true],
    ['anthropic', 'functions.get_weather:0', false],
    ['anthropic.messages', 'functions.get_weather:0', false],
    ['moonshot', 'functions.get_weather:0', true],
    ['mine', 'functions.get_weather:0', true],
  ])('to %s: %j goes back: %s', (provider, providerCallId, goesBack) => {
    const call = callOf(0, { providerCallId });
    const { calls, results } = callsAndResults(promptOf([assistant([call]), resultOf(call)], provider));
    expect(calls[0]?.toolCallId).toBe(goesBack ? providerCallId : 't_1_0');
    expect(results[0]?.toolCallId).toBe(calls[0]?.toolCallId);
  });

  test('are never twice in one request', () => {
    const steps = [1, 2, 3].map((step) => [0, 1].map((index) => callOf(index, { providerCallId: 'call_0' }, step)));
    const odd = callOf(9, { providerCallId: 't_1_1' }, 9);
    const { calls, results } = callsAndResults(promptOf([assistant([odd]), ...steps.map((calls) => assistant(calls))]));
    const ids = calls.map((call) => call.toolCallId);
    expect(new Set(ids).size).toBe(7);
    expect(ids.slice(0, 2)).toEqual(['t_1_1', 'call_0']);
    expect(results.map((result) => result.toolCallId)).toEqual(ids);
  });
});

test.each([
  ['get_weather', 'get_weather'],
  ['a b!', 'a_x20_b_x21_'],
  ['查', '_x67e5_'],
  ['😀', '_x1f600_'],
  ['', '_'],
  ['x'.repeat(100), 'x'.repeat(64)],
  ['constructor', 'constructor'],
])('a tool named %j goes back as %j', (toolName, expected) => {
  const call = callOf(0, { toolName });
  const { calls, results } = callsAndResults(promptOf([assistant([call]), resultOf(call)]));
  expect([calls[0]?.toolName, results[0]?.toolName]).toEqual([expected, expected]);
});

describe('data of a provider', () => {
  const signed: ProviderData = { provider: 'anthropic', data: { anthropic: { signature: 's' } } };
  const messages = [
    assistant(
      [callOf(0, { providerData: signed })],
      [
        { type: 'reasoning', text: 'hm', providerData: signed },
        { type: 'reasoning', text: 'unsigned' },
        { type: 'text', text: 'so', providerData: signed },
      ],
    ),
  ];

  test('goes back to it, thoughts with it', () => {
    const providerOptions = { anthropic: { signature: 's' } };
    expect(promptOf(messages, 'anthropic')[0]?.content).toEqual([
      { type: 'reasoning', text: 'hm', providerOptions },
      { type: 'text', text: 'so', providerOptions },
      expect.objectContaining({ type: 'tool-call', providerOptions }) as unknown,
    ]);
  });

  test('goes to nobody else, nor do thoughts', () => {
    const prompt = promptOf(messages, 'openai');
    expect(JSON.stringify(prompt)).not.toMatch(/signature|hm|unsigned/);
    expect(prompt[0]?.content).toHaveLength(2);
  });

  test('that is no object is left out', () => {
    const odd = { provider: 'openai', data: 'x' };
    expect(promptOf([assistant([], [{ type: 'text', text: 'a', providerData: odd }])])[0]?.content).toEqual([
      { type: 'text', text: 'a' },
    ]);
  });

  test('a provider that wants thoughts back gets its own, and a blank for those of others', () => {
    const own: ProviderData = { provider: 'deepseek', data: {} };
    const prompt = promptOf(
      [
        assistant(
          [],
          [
            { type: 'reasoning', text: 'mine', providerData: own },
            { type: 'text', text: 'a' },
          ],
        ),
        ...messages,
      ],
      'deepseek',
    );
    expect(prompt[0]?.content[0]).toMatchObject({ type: 'reasoning', text: 'mine' });
    expect(prompt[1]?.content[0]).toEqual({ type: 'reasoning', text: ' ' });
  });
});

test.each<[string, Message]>([
  ['nothing', assistant([])],
  ['blanks', assistant([], [{ type: 'text', text: ' \n' }])],
  ['a thought', assistant([], [{ type: 'reasoning', text: 'x', providerData: { provider: 'deepseek', data: {} } }])],
])('an assistant message of %s is left out', (_name, message) => {
  for (const provider of ['openai', 'deepseek'])
    expect(promptOf([user('a'), message, user('b')], provider)).toHaveLength(2);
});

test('a blank user message says that it is one, a blank system text is none', () => {
  expect(promptOf([user(' ')], 'openai', ' \n')).toEqual([
    { role: 'user', content: [{ type: 'text', text: '(an empty message)' }] },
  ]);
});

test('no lone surrogate gets through, wherever it stands', () => {
  const bad = 'a\ud800b';
  const call = callOf(0, { rawInput: '{"\\ud800":["\\udc00"]}', toolName: bad });
  const other = callOf(1, { rawInput: bad });
  const messages = [
    user(bad),
    assistant([call, other], [{ type: 'text', text: bad }]),
    resultOf(call, { ...success, result: { kind: 'json', value: { [bad]: [bad] } } }),
    resultOf(other, { ...failure, message: text('plain', { text: bad }), details: bad }),
  ];
  const prompt = promptOf(messages, 'openai', bad);
  // JSON.stringify writes a lone surrogate as an escape.
  expect(JSON.stringify(prompt)).not.toMatch(/\\ud[89a-f]/i);
  expect(JSON.stringify(prompt)).toContain('a\ufffdb');
});

test('whatever models and tools wrote: calls and results match, ids and names are ones that providers take', () => {
  const anyText = fc.string({ unit: 'binary', maxLength: 12 });
  const anyCall = fc.record({
    providerCallId: fc.oneof(anyText, fc.constant('call_0')),
    toolName: anyText,
    rawInput: anyText,
  });
  const anyStep = fc.record({ said: anyText, calls: fc.array(anyCall, { maxLength: 3 }), answered: fc.boolean() });
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 4 }), fc.constantFrom('openai', 'anthropic', 'x'), (steps, provider) => {
      const messages = steps.flatMap(({ said, calls, answered }, step): Message[] => {
        const made = calls.map((call, index) => callOf(index, call, step));
        const spoken = assistant(made, [{ type: 'text', text: said }]);
        return [spoken, ...(answered ? made.map((call) => resultOf(call)) : [])];
      });
      const { calls, results } = callsAndResults(promptOf(messages, provider));
      const ids = calls.map((call) => call.toolCallId);
      expect(new Set(ids).size).toBe(ids.length);
      expect(results.map((result) => result.toolCallId)).toEqual(ids);
      for (const call of calls) expect(call.toolName).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      if (provider === 'anthropic') for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9_-]+$/);
    }),
  );
});
