import { afterAll, expect, it } from 'vitest';
import { defineAgentTool } from '../authoring/index.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { createInlineExecutor } from '../execution/index.ts';
import { createWorld } from './fixtures/call-world.ts';

const inline = createInlineExecutor();
afterAll(() => inline.close());

it.each([
  [
    'what takes too long to check',
    '^(a+)+$',
    `${'a'.repeat(60)}!`,
    'the result: expected something that can be checked',
  ],
  ['what is wrong as a whole', '^b$', 'a', 'the result: expected'],
])('speaks of the result, not of the arguments: %s', async (_what, pattern, result, words) => {
  const definition = defineAgentTool({ description: 'x', execute: () => result });
  const { call } = createWorld({
    executors: { inline, process: inline },
    tools: { one: { definition, outputSchema: { type: 'string', pattern } } },
  });
  const outcome = await call('one');
  expect(outcome).toMatchObject({ status: 'error', code: 'INVALID_RESULT', effect: 'done' });
  const said = outcome.status === 'error' ? renderText(outcome.message, 'en') : '';
  expect(said).toContain(words);
  expect(said).not.toMatch(/arguments|found nothing/);
});
