import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { anthropicFormat } from './anthropic/anthropic-format.ts';
import { ask, weatherTool } from './fixtures/ask.ts';
import { providerCases } from './fixtures/provider-cases.ts';
import { openaiFormat } from './openai/openai-format.ts';
import { startScriptedModel } from './start-scripted-model.ts';

const call = (id: string, name: string, input: object) => ({
  type: 'tool-call' as const,
  toolCallId: id,
  toolName: name,
  input,
});
const result = (id: string, name: string, value: string) => ({
  type: 'tool-result' as const,
  toolCallId: id,
  toolName: name,
  output: { type: 'text' as const, value },
});

const prompt: LanguageModelV4Prompt = [
  { role: 'system', content: '规则一' },
  { role: 'system', content: '规则二' },
  { role: 'user', content: [{ type: 'text', text: '北京和上海的天气' }] },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: '我查一下。' },
      call('c1', 'get_weather', { city: '北京' }),
      call('c2', 'get_weather', { city: '上海' }),
    ],
  },
  { role: 'tool', content: [result('c1', 'get_weather', '晴'), result('c2', 'get_weather', '雨')] },
  {
    role: 'user',
    content: [
      { type: 'text', text: '谢谢，' },
      { type: 'text', text: '那明天呢？' },
    ],
  },
];

const empty = { text: '', reasoning: '', calls: [], results: [] };

describe('the same conversation through every provider', () => {
  it.each(providerCases)('$name', async ({ connect, format }) => {
    await using server = await startScriptedModel({ answers: [{ text: 'ok' }] });
    await ask.generate(connect(server.baseUrl), { prompt, tools: [weatherTool] });
    expect(server.requests[0]).toMatchObject({
      format,
      model: 'any-model',
      streaming: false,
      system: '规则一\n\n规则二',
      toolNames: ['get_weather'],
      tools: [
        {
          name: 'get_weather',
          description: 'Weather of a city',
          schema: weatherTool.inputSchema,
          deferred: false,
        },
      ],
    });
    expect(server.requests[0]?.messages).toEqual([
      { ...empty, role: 'user', text: '北京和上海的天气' },
      {
        ...empty,
        role: 'assistant',
        text: '我查一下。',
        calls: [
          { id: 'c1', name: 'get_weather', input: { city: '北京' }, rawInput: '{"city":"北京"}' },
          { id: 'c2', name: 'get_weather', input: { city: '上海' }, rawInput: '{"city":"上海"}' },
        ],
      },
      {
        ...empty,
        role: 'tool',
        results: [
          { callId: 'c1', name: 'get_weather', text: '晴', isError: false },
          { callId: 'c2', name: 'get_weather', text: '雨', isError: false },
        ],
      },
      { ...empty, role: 'user', text: '谢谢，\n那明天呢？' },
    ]);
  });
});

describe('what only one format can say', () => {
  it('OpenAI: arguments that are no JSON, reasoning, a system message in the middle', () => {
    const { system, messages } = openaiFormat.readConversation({
      messages: [
        { role: 'developer', content: [{ type: 'text', text: 'rules' }] },
        { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:,' } }] },
        {
          role: 'assistant',
          content: null,
          reasoning_content: 'hm',
          tool_calls: [{ id: 'c1', function: { name: 'constructor', arguments: '{"a' } }],
        },
        { role: 'system', content: 'note' },
        { role: 'tool', tool_call_id: 'c1', content: 'one' },
        { role: 'tool', tool_call_id: 'other', content: 'two' },
        { role: 'assistant', content: 'so' },
        { role: 'tool', tool_call_id: 'c1', content: 'three' },
      ],
    });
    expect(system).toBe('rules');
    expect(messages).toEqual([
      { ...empty, role: 'user' },
      {
        ...empty,
        role: 'assistant',
        reasoning: 'hm',
        calls: [{ id: 'c1', name: 'constructor', input: undefined, rawInput: '{"a' }],
      },
      { ...empty, role: 'system', text: 'note' },
      {
        ...empty,
        role: 'tool',
        results: [
          { callId: 'c1', name: 'constructor', text: 'one', isError: false },
          { callId: 'other', name: undefined, text: 'two', isError: false },
        ],
      },
      { ...empty, role: 'assistant', text: 'so' },
      { ...empty, role: 'tool', results: [{ callId: 'c1', name: 'constructor', text: 'three', isError: false }] },
    ]);
  });

  it('Anthropic: results and text in one message, failed results, thinking, deferred and provider tools', () => {
    const { system, messages, tools } = anthropicFormat.readConversation({
      system: 'rules',
      tools: [
        { name: 'a', input_schema: { type: 'object' }, defer_loading: true },
        { type: 'bash_1', name: 'bash' },
      ],
      messages: [
        { role: 'user', content: 'hi' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 's' },
            { type: 'tool_use', id: 't1', name: 'a', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 't1', is_error: true, content: [{ type: 'text', text: 'broken' }] },
            { type: 'text', text: 'and now?' },
          ],
        },
        { role: 'system', content: 'note' },
      ],
    });
    expect(system).toBe('rules');
    expect(tools).toEqual([
      { name: 'a', description: '', schema: { type: 'object' }, deferred: true },
      { name: 'bash', description: '', schema: undefined, deferred: false },
    ]);
    expect(messages).toEqual([
      { ...empty, role: 'user', text: 'hi' },
      {
        ...empty,
        role: 'assistant',
        reasoning: 'hm',
        calls: [{ id: 't1', name: 'a', input: {}, rawInput: '{}' }],
      },
      { ...empty, role: 'tool', results: [{ callId: 't1', name: 'a', text: 'broken', isError: true }] },
      { ...empty, role: 'user', text: 'and now?' },
      { ...empty, role: 'system', text: 'note' },
    ]);
  });

  it.each([
    {},
    { messages: 'x', tools: 3 },
    { messages: [null, 1, { role: 'assistant', tool_calls: [null, {}], content: [{ type: 'tool_use' }] }, {}] },
    {
      system: [null, { text: 1 }],
      tools: [{ function: 1 }],
      messages: [{ role: 'user', content: [{ type: 'text' }] }],
    },
  ])('reads anything: %j', (body) => {
    for (const format of [openaiFormat, anthropicFormat]) {
      expect(format.readConversation(body)).toMatchObject({ model: '', streaming: false });
    }
  });
});
