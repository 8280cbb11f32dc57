import { describe, expect, it } from 'vitest';
import { findProblem } from './find-problem.ts';

const user = { role: 'user', content: 'hi' };
const calls = (...ids: string[]) => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'tool_use', id, name: 'a', input: {} })),
});
const results = (...ids: string[]) => ({
  role: 'user',
  content: ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'done' })),
});
const schema = { type: 'object' };

const withMessages = (...messages: unknown[]) => ({ model: 'any', max_tokens: 1, messages });
const withTools = (...tools: unknown[]) => ({ ...withMessages(user), tools });

describe('findProblem of Anthropic', () => {
  it.each([
    [withMessages(user)],
    [withMessages(user, calls('t1', 't2'), results('t1', 't2'), calls('t3'), results('t3'))],
    [withMessages(user, calls('t1'), calls('t2'), results('t1'), results('t2'), user)],
    [withMessages(user, calls('t1'), { role: 'system', content: 'note' }, results('t1'))],
    [withMessages(user, { role: 'assistant', content: '' })],
    [withTools({ name: 'a', input_schema: schema }, { type: 'custom', name: 'b', input_schema: schema })],
    [withTools({ type: 'bash_20250124', name: 'bash' }, { type: 'computer_toolset_20260801' })],
  ])('nothing wrong with %j', (body) => {
    expect(findProblem(body)).toBeUndefined();
  });

  it.each<[object, RegExp]>([
    [{}, /^model: Field required/],
    [{ model: 'any', messages: [user] }, /^max_tokens: Field required/],
    [{ model: 'any', max_tokens: 1 }, /^messages: Field required/],
    [withMessages(), /at least one message/],
    [withMessages(1), /^messages\.0: Input should be an object/],
    [withMessages({ role: 'tool', content: 'x' }), /^messages\.0\.role/],
    [withMessages({ role: 'user', content: null }), /^messages\.0\.content/],
    [withMessages({ role: 'user', content: '' }), /non-empty content/],
    [withMessages(user, { role: 'assistant', content: [] }, user), /^messages\.1: all messages must have non-empty/],
    [withMessages({ role: 'user', content: [{ type: 'text', text: '' }] }), /text content blocks must be non-empty/],
    [withMessages(user, results('t1')), /unexpected `tool_use_id` found in `tool_result` blocks: t1/],
    [withMessages(user, calls('t1'), results('t1'), user, calls('t2'), results('t1')), /^messages\.5: unexpected/],
    [withMessages(user, calls('t1', 't2'), results('t1')), /^messages\.1: .*immediately after: t2\./],
    [withMessages(user, calls('t1')), /^messages\.1: .*immediately after: t1\./],
    [withMessages(user, calls('t1', 't1'), results('t1')), /ids must be unique/],
    [withMessages(user, calls('t1'), results('t1'), calls('t1'), results('t1')), /^messages\.3: .*must be unique/],
    [withTools({ name: '查天气', input_schema: schema }), /^tools\.0\.custom\.name/],
    [withTools({ name: 'a' }), /^tools\.0\.custom\.input_schema: Field required/],
    [withTools({ name: 'a', input_schema: {} }), /^tools\.0\.custom\.input_schema\.type/],
    [withTools({ name: 'a', input_schema: schema }, { name: 'a', input_schema: schema }), /must be unique/],
  ])('%j is refused', (body, message) => {
    expect(findProblem(body as Record<string, unknown>)).toEqual({
      status: 400,
      message: expect.stringMatching(message),
    });
  });
});
