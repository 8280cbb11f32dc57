import { expect, it } from 'vitest';
import { demoAnswer } from './demo-answer.ts';
import { readConversation } from './openai/read-conversation.ts';

const tools = ['get_weather', 'get_weather_week', 'constructor'].map((name) => ({
  type: 'function',
  function: { name },
}));

function demo(messages: object[], offered: object[] = tools) {
  return demoAnswer(readConversation({ model: 'any', messages, tools: offered }));
}

const user = (content: string) => ({ role: 'user', content });

it.each([
  ['get_weather {"city":"北京"}', 'get_weather', '{"city":"北京"}'],
  ['请用get_weather_week查{"city": "上海", "days": 7}', 'get_weather_week', '{"city": "上海", "days": 7}'],
  ['call get_weather.', 'get_weather', '{}'],
  ['get_weather_week then get_weather', 'get_weather', '{}'],
  ['constructor', 'constructor', '{}'],
])('%j makes it call %s', (text, name, rawInput) => {
  expect(demo([user(text)])).toEqual({ calls: [{ name, rawInput }] });
});

it.each([
  ['你好', tools, '我收到了 1 条消息，工具有：get_weather、get_weather_week、constructor。'],
  ['get_weather_monthly', tools, 'I received 1 message and the tools get_weather, get_weather_week, constructor.'],
  ['get_weather', [], 'I received 1 message and no tools.'],
])('%j makes it report', (text, offered, report) => {
  expect(demo([user(text)], offered)).toEqual({ text: report });
});

it('counts all messages but the leading system text', () => {
  const messages = [
    { role: 'system', content: 'rules' },
    user('hi'),
    { role: 'assistant', content: 'yes' },
    user('so'),
  ];
  expect(demo(messages, [])).toEqual({ text: 'I received 3 messages and no tools.' });
});

it('quotes tool results instead of calling again', () => {
  const messages = [
    user('get_weather {"city":"Oslo"}'),
    { role: 'assistant', tool_calls: [{ id: 'c1', function: { name: 'get_weather', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: 'c1', content: 'sunny' },
    { role: 'tool', tool_call_id: 'c2', content: 'dry' },
  ];
  expect(demo(messages)).toEqual({ text: 'The result of get_weather is “sunny”.\nThe result of c2 is “dry”.' });
});
