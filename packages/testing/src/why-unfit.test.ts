import { describe, expect, it } from 'vitest';
import type { When } from './answer.ts';
import { readConversation } from './openai/read-conversation.ts';
import { whyUnfit } from './why-unfit.ts';

const assistantCall = (id: string) => ({
  role: 'assistant',
  tool_calls: [{ id, function: { name: 'get_weather', arguments: '{}' } }],
});

const conversation = readConversation({
  model: 'any',
  tools: [{ type: 'function', function: { name: 'get_weather' } }],
  messages: [
    { role: 'system', content: 'You are the child agent.' },
    { role: 'user', content: '北京天气' },
    assistantCall('c1'),
    { role: 'tool', tool_call_id: 'c1', content: 'old result' },
    assistantCall('c2'),
    { role: 'tool', tool_call_id: 'c2', content: 'first new result' },
    { role: 'tool', tool_call_id: 'c3', content: 'second new result' },
  ],
});

describe('whyUnfit', () => {
  it.each<[When]>([
    [{}],
    [{ lastUser: '天气' }],
    [{ lastUser: /^北京/ }],
    [{ lastRole: 'tool' }],
    [{ toolResultContains: 'second' }],
    [{ toolResultContains: /FIRST/i }],
    [{ tool: 'get_weather' }],
    [{ system: 'child' }],
    [{ lastUser: '北京', lastRole: 'tool', toolResultContains: 'new', tool: 'get_weather', system: /agent/ }],
  ])('%o fits', (when) => {
    expect(whyUnfit(when, conversation)).toBeUndefined();
  });

  it.each<[When, string]>([
    [{ lastUser: '上海' }, 'the last user message is "北京天气", without "上海"'],
    [{ lastUser: /^天气/ }, 'the last user message is "北京天气", without /^天气/'],
    [{ lastRole: 'user' }, 'the last message is of role tool, not user'],
    [{ toolResultContains: 'old' }, 'none of the 2 newest tool results has "old"'],
    [{ tool: 'constructor' }, 'the tool constructor is not among the 1 offered'],
    [{ system: 'parent' }, 'the system text is "You are the child agent.", without "parent"'],
    [{ lastUser: '北京', tool: 'other' }, 'the tool other is not among the 1 offered'],
  ])('%o does not fit: %s', (when, why) => {
    expect(whyUnfit(when, conversation)).toBe(why);
  });

  it('is not confused by the memory of a global pattern', () => {
    const when = { lastUser: /天气/g };
    expect([whyUnfit(when, conversation), whyUnfit(when, conversation)]).toEqual([undefined, undefined]);
  });

  it('does not look past a system message in the middle', () => {
    const messages = [
      { role: 'user', content: 'a' },
      { role: 'system', content: 'note' },
    ];
    expect(whyUnfit({ lastRole: 'user' }, readConversation({ messages }))).toBeUndefined();
  });
});
