import { expect, it } from 'vitest';
import { IdSequence } from './id-sequence.ts';

it('counts, and skips what the conversation has', () => {
  const ids = new IdSequence();
  const none = new Set<string>();
  expect([ids.nextCall('openai', none), ids.nextCall('anthropic', none)]).toEqual(['call_1', 'toolu_2']);
  expect(ids.nextCall('openai', new Set(['call_3', 'call_4']))).toBe('call_5');
  expect([ids.nextMessage('openai'), ids.nextMessage('anthropic')]).toEqual(['chatcmpl-1', 'msg_2']);
});
