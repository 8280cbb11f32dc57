import { describe, expect, it } from 'vitest';
import { findProblem } from './find-problem.ts';

const user = { role: 'user', content: 'hi' };
const calls = (...ids: string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'a', arguments: '{}' } })),
});
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'done' });
const tool = (definition: object) => ({ type: 'function', function: definition });

const withMessages = (...messages: unknown[]) => ({ model: 'any', messages });
const withTools = (...tools: unknown[]) => ({ model: 'any', messages: [user], tools });

describe('findProblem of OpenAI', () => {
  it.each([
    [withMessages(user)],
    [withMessages({ role: 'system', content: 'x' }, { role: 'developer', content: [] }, user)],
    [withMessages(user, calls('c1', 'c2'), result('c2'), result('c1'), user)],
    [withMessages(user, { role: 'assistant', content: 'x' }, user)],
    [withTools(tool({ name: 'get-weather_1' }), tool({ name: 'b', parameters: { type: 'object' } }))],
    [withTools({ type: 'custom', custom: { name: '任意' } })],
  ])('nothing wrong with %j', (body) => {
    expect(findProblem(body)).toBeUndefined();
  });

  it.each<[object, string, RegExp]>([
    [{}, 'model', /model parameter/],
    [{ model: '' }, 'model', /model parameter/],
    [{ model: 'any' }, 'messages', /Missing required parameter/],
    [withMessages(), 'messages', /empty array/],
    [withMessages(user, 'x'), 'messages[1]', /expected an object/],
    [withMessages({ role: 'robot', content: '' }), 'messages[0].role', /'robot'/],
    [withMessages({ role: 'user', content: null }), 'messages[0].content', /got null/],
    [withMessages({ role: 'user' }), 'messages[0].content', /got nothing/],
    [withMessages(result('c1')), 'messages[0].role', /must be a response to a preceeding/],
    [withMessages(user, calls('c1'), result('c1'), result('c1')), 'messages[3].role', /must be a response/],
    [withMessages(user, calls('c1', 'c2'), result('c1'), user), 'messages[3].role', /response messages: c2$/],
    [withMessages(user, calls('c1', 'c2')), 'messages[2].role', /response messages: c1, c2$/],
    [withTools(tool({ name: '查天气' })), 'tools[0].function.name', /does not match pattern/],
    [withTools(tool({ name: 'a' }), tool({ name: 'b'.repeat(65) })), 'tools[1].function.name', /pattern/],
    [withTools(tool({ name: 'a', parameters: {} })), 'tools[0].function.parameters', /type: "object"/],
  ])('%j is refused for %s', (body, param, message) => {
    expect(findProblem(body as Record<string, unknown>)).toEqual({
      status: 400,
      param,
      message: expect.stringMatching(message),
    });
  });
});
