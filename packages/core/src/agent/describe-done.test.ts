import { expect, it } from 'vitest';
import type { ToolMessage } from '../contracts/message.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import { describeDone } from './describe-done.ts';

const call = (toolName: string, outcome: object) =>
  ({ role: 'tool', callId: toolName, toolCallId: toolName, toolName, outcome }) as unknown as ToolMessage;
const failed = (code: string, effect: string) => ({
  status: 'error',
  code,
  effect,
  message: text('agent.done-nothing'),
});

const messages = [
  call('write', { status: 'success', value: 1 }),
  call('pay', failed('CANCELLED', 'none')),
  call('send', failed('TIMEOUT', 'unknown')),
  call('list', failed('RESULT_TOO_LARGE', 'done')),
];

it.each([
  ['en', 'Done so far: write, list (RESULT_TOO_LARGE). May have happened: send (TIMEOUT). Not done: pay (CANCELLED).'],
  ['zh', '目前已执行：write, list (RESULT_TOO_LARGE)。可能已执行：send (TIMEOUT)。未执行：pay (CANCELLED)。'],
] as const)('says what was done, what may have been and what was not (%s)', (locale, said) => {
  expect(renderText(describeDone(messages), locale)).toBe(said);
});

it('says so when no tool ran', () => {
  expect(renderText(describeDone([]), 'en')).toBe('No tool was run.');
});
