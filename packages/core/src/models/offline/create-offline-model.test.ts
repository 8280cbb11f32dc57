import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
} from '@ai-sdk/provider';
import { describe, expect, test } from 'vitest';
import type { Locale } from '../../contracts/locale.ts';
import { readModelStream } from '../read-model-stream.ts';
import { createOfflineModel } from './create-offline-model.ts';

const weather: LanguageModelV4FunctionTool = {
  type: 'function',
  name: 'get_weather',
  description: 'Tells the weather of a city, e.g. of Beijing. Give a date, too.',
  inputSchema: {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer' } },
    required: ['city'],
  },
};
const add: LanguageModelV4FunctionTool = {
  type: 'function',
  name: 'add',
  description: '把两个数相加。返回和。',
  inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
};

function user(text: string): LanguageModelV4Prompt[number] {
  return { role: 'user', content: [{ type: 'text', text }] };
}

function ask(
  prompt: LanguageModelV4Prompt,
  tools: LanguageModelV4FunctionTool[] = [weather, add],
  locale: Locale = 'en',
) {
  const deltas: string[] = [];
  return readModelStream({
    model: createOfflineModel({ locale }),
    provider: 'offline',
    options: { prompt, tools },
    onText: (delta) => deltas.push(delta),
  }).then((step) => ({ ...step, deltas, text: step.parts.map((part) => part.text).join('') }));
}

function result(...outputs: LanguageModelV4ToolResultOutput[]): LanguageModelV4Prompt {
  const calls = outputs.map((output, index) => ({ toolCallId: `c${index}`, toolName: 'get_weather', output }));
  return [
    { role: 'assistant', content: calls.map(({ output: _, ...call }) => ({ type: 'tool-call', input: {}, ...call })) },
    { role: 'tool', content: calls.map((call) => ({ type: 'tool-result', ...call })) },
  ];
}

describe('a command', () => {
  test('becomes exactly one call', async () => {
    const step = await ask([{ role: 'system', content: 's' }, user('/tool get_weather city=北京 days=3')]);
    expect(step.calls).toEqual([
      { providerCallId: 'offline_1', toolName: 'get_weather', rawInput: '{"city":"北京","days":3}' },
    ]);
    expect(step).toMatchObject({ parts: [], finishReason: 'tool-calls', usage: { inputTokens: 0, outputTokens: 0 } });
  });

  test.each([
    ['with a full-width slash', '／tool get_weather city=x'],
    ['behind white space', ' \n\t/tool get_weather city=x'],
    ['at the beginning of a later line', 'alice:\n/tool get_weather city=x'],
    ['over several lines', '/tool get_weather\n  city=x\n'],
    ['with a bare value', '/tool get_weather x'],
    ['with JSON', '/tool get_weather {"city":"x"}'],
  ])('may be written %s', async (_name, text) => {
    expect((await ask([user(text)])).calls).toMatchObject([{ toolName: 'get_weather', rawInput: '{"city":"x"}' }]);
  });

  test.each([
    ['in the middle of a line', 'say /tool get_weather city=x'],
    ['as a longer word', '/tools get_weather city=x'],
    ['of an earlier message', undefined],
  ])('does not count %s', async (_name, text) => {
    const prompt: LanguageModelV4Prompt =
      text === undefined
        ? [user('/tool get_weather city=x'), { role: 'assistant', content: [{ type: 'text', text: 'ok' }] }, user('hi')]
        : [user(text)];
    expect((await ask(prompt)).calls).toEqual([]);
  });

  test('gets an id that the conversation does not have yet', async () => {
    const step = await ask([
      user('/tool add a=1 b=2'),
      ...result({ type: 'text', value: '3' }),
      user('/tool add a=1 b=2'),
    ]);
    expect(step.calls.map((call) => call.providerCallId)).toEqual(['offline_2']);
  });

  test.each<[string, string, Locale, string[]]>([
    ['an unknown tool', '/tool get_wether city=x', 'en', ['"get_wether"', 'Did you mean get_weather?']],
    ['an unknown tool, in Chinese', '/tool get_wether city=北京', 'en', ['“get_wether”', '是否想用 get_weather']],
    ['a tool that is like no other', '/tool constructor', 'en', ['"constructor"', '- get_weather:']],
    ['no tool', '/tool', 'en', ['Which tool?', '- get_weather:']],
    ['no tool, with Chinese set', '/tool', 'zh', ['要调用哪个工具', '- get_weather：']],
    ['a value for nothing', '/tool add 5', 'en', ['"5"', 'a (number, required), b (number, required)']],
    ['words beside a pair', '/tool get_weather a b days=1', 'en', ['"a"', 'city (string, required), days (integer)']],
  ])('with %s is answered, not called', async (_name, text, locale, said) => {
    const step = await ask([user(text)], [weather, add], locale);
    expect(step.calls).toEqual([]);
    for (const words of said) expect(step.text).toContain(words);
  });
});

describe('a result', () => {
  test.each<[string, LanguageModelV4ToolResultOutput, string]>([
    ['text as it is', { type: 'text', value: '  12 °C\n ' }, '  12 °C\n '],
    ['short JSON on one line', { type: 'json', value: { a: 1, b: [2] } }, '{"a":1,"b":[2]}'],
    ['long JSON on many', { type: 'json', value: { a: 'x'.repeat(80) } }, `{\n  "a": "${'x'.repeat(80)}"\n}`],
    ['a JSON text without quotation marks', { type: 'json', value: 'sunny' }, 'sunny'],
    ['nothing', { type: 'json', value: null }, 'null'],
    [
      'an error with its hint',
      { type: 'error-json', value: { status: 'error', message: 'No such city.', hint: 'Ask again.' } },
      'get_weather failed: No such city.\nAsk again.',
    ],
    ['an error text', { type: 'error-text', value: 'broken' }, 'get_weather failed: broken'],
    ['an error of another form', { type: 'error-json', value: { code: 1 } }, 'get_weather failed: {"code":1}'],
    [
      'parts',
      {
        type: 'content',
        value: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      'a\nb',
    ],
  ])('is shown: %s', async (_name, output, expected) => {
    const step = await ask([user('/tool get_weather city=x'), ...result(output)]);
    expect(step).toMatchObject({ text: expected, calls: [], finishReason: 'stop' });
  });

  test('in the language of the user', async () => {
    const step = await ask([user('/tool get_weather city=北京'), ...result({ type: 'error-text', value: '没有数据' })]);
    expect(step.text).toBe('get_weather 执行失败：没有数据');
  });

  test('of several calls is shown one by one', async () => {
    const step = await ask([user('x'), ...result({ type: 'text', value: '1' }, { type: 'text', value: '2' })]);
    expect(step.text).toBe('get_weather:\n1\n\nget_weather:\n2');
  });
});

describe('anything else', () => {
  test.each<[string, string, Locale, string]>([
    ['English', 'What is the weather?', 'zh', 'This is the offline model'],
    ['Chinese', '北京天气怎么样？', 'en', '我是离线模型'],
    ['no language', '123?', 'zh', '我是离线模型'],
    ['nothing', '', 'en', 'This is the offline model'],
  ])('is answered honestly, to %s', async (_name, text, locale, said) => {
    const step = await ask([user(text)], [weather, add], locale);
    expect(step.text).toContain(said);
    expect(step.text).toContain('/tool');
    expect(step.text).toContain('OPENAI_API_KEY');
    expect(step.text).toContain('BAIGONG_MODEL');
  });

  test('names the tools with their first sentence', async () => {
    const { text } = await ask([user('hi')]);
    expect(text).toContain('- get_weather: Tells the weather of a city, e.g. of Beijing.\n');
    expect(text).toContain('- add: 把两个数相加。\n');
    expect(text).not.toContain('Give a date');
  });

  test('names at most twenty tools', async () => {
    const tools = Array.from({ length: 25 }, (_, index) => ({ ...weather, name: `tool_${index}` }));
    const { text } = await ask([user('hi')], tools);
    expect(text).toContain('- tool_19:');
    expect(text).not.toContain('- tool_20:');
    expect(text).toContain('5 more');
  });

  test('says when there are no tools', async () => {
    expect((await ask([user('hi')], [])).text).toContain('no tools');
  });

  test.each<[string, LanguageModelV4Prompt]>([
    ['empty', []],
    ['a system text only', [{ role: 'system', content: '/tool add a=1 b=2' }]],
    ['an answer at its end', [user('/tool add a=1 b=2'), { role: 'assistant', content: [] }]],
    ['a tool message without results', [user('x'), { role: 'tool', content: [] }, user('y')]],
    [
      'a file',
      [{ role: 'user', content: [{ type: 'file', data: { type: 'text', text: 'x' }, mediaType: 'text/plain' }] }],
    ],
  ])('is a prompt that is odd: %s', async (_name, prompt) => {
    expect((await ask(prompt)).text).toContain('offline model');
  });
});

test('streams in pieces that tear no character apart', async () => {
  const value = '😀'.repeat(100);
  const { deltas, text } = await ask([user('x'), ...result({ type: 'text', value })]);
  expect(text).toBe(value);
  expect(deltas.length).toBeGreaterThan(3);
  expect(deltas.every((delta) => delta.isWellFormed())).toBe(true);
});

test('gives the same answer whole', async () => {
  const model = createOfflineModel({ locale: 'en' });
  const called = await model.doGenerate({ prompt: [user('/tool get_weather x')], tools: [weather] });
  expect(called.content).toEqual([
    { type: 'tool-call', toolCallId: 'offline_1', toolName: 'get_weather', input: '{"city":"x"}' },
  ]);
  expect(called.finishReason.unified).toBe('tool-calls');
  const said = await model.doGenerate({ prompt: [user('hi')] });
  expect(said.content).toMatchObject([{ type: 'text', text: expect.stringContaining('offline model') as string }]);
});

test.each([
  ['quotation marks', '/tool get_weather '.padEnd(1_000_000, 'a="')],
  ['opening marks', '/tool get_weather '.padEnd(1_000_000, '“ ')],
  ['brackets', '/tool get_weather '.padEnd(1_000_000, 'a=[{ ')],
  ['line breaks', '\n'.repeat(1_000_000)],
  ['slashes', '/tool/tool '.repeat(90_000)],
  ['blanks before a line', ' \t'.repeat(500_000)],
  ['signs', '/tool get_weather '.padEnd(1_000_000, '= ')],
  ['a long name', `/tool ${'x'.repeat(1_000_000)}`],
  ['one long word', `/tool get_weather city=${'字'.repeat(1_000_000)}`],
])('takes a megabyte of %s', async (_name, text) => {
  const step = await ask([user(text)]);
  expect(step.calls.length + step.parts.length).toBeGreaterThan(0);
});

test('ends when it is told to', async () => {
  const controller = new AbortController();
  const model = createOfflineModel({ locale: 'en' });
  const options = { prompt: [user('hi')], abortSignal: controller.signal };
  const step = readModelStream({ model, provider: 'offline', options, onText: () => controller.abort() });
  await expect(step).rejects.toMatchObject({ code: 'ABORTED' });
  await expect(readModelStream({ model, provider: 'offline', options })).rejects.toMatchObject({ code: 'ABORTED' });
});
