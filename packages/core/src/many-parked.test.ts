import { join } from 'node:path';
import { createProject } from '@baigong/testing';
import { expect, it } from 'vitest';
import { createRuntime, defineAgentTool, type Reply } from './index.ts';

/** More than one process goes on with at the same time by itself. */
const COUNT = 100;

it('many turns that were answered at once all go on, each once, with those that are cancelled among them', async () => {
  await using folder = await createProject();
  const noted: string[] = [];
  const replies: Reply[] = [];
  const open = () =>
    createRuntime({
      store: { file: join(folder.root, 'state.db') },
      environment: {},
      settings: { approval: { unattended: 'wait' } },
      replies: { reaches: () => true, send: async (reply) => void replies.push(reply) },
      tools: {
        note: defineAgentTool<{ text: string }>({
          description: 'Notes something. Use when something is to be noted.',
          inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
          requiresApproval: 'always',
          execute: ({ text }) => {
            noted.push(text);
            return text;
          },
        }),
      },
    });
  const first = await open();
  const texts = Array.from({ length: COUNT }, (_, index) => `n${index}`);
  const turns = texts.map((text) => first.run({ text: `/tool note text=${text}`, session: text }));
  const parked = await Promise.all(turns.map(({ result }) => result));
  expect(parked.every(({ status }) => status === 'parked')).toBe(true);
  await first.close();

  const second = await open();
  const [cancelled, ...approved] = await second.asks();
  expect(approved).toHaveLength(COUNT - 1);
  await second.cancel({ turn: cancelled?.turnId ?? '' });
  const answers = approved.flatMap(({ code }) => [1, 2].map(() => second.answer(code, { approve: true })));
  const counted = (await Promise.all(answers)).filter(({ status }) => status === 'counted');
  expect(counted).toHaveLength(COUNT - 1);
  await expect.poll(() => replies.length, { timeout: 30_000 }).toBe(COUNT);
  await second.close();
  const done = replies.filter(({ status }) => status === 'done').map(({ text }) => text);
  expect(done.toSorted()).toEqual(noted.toSorted());
  expect(new Set(noted).size).toBe(COUNT - 1);
  const ended = replies.filter(({ status }) => status === 'cancelled').map(({ turnId, text }) => ({ turnId, text }));
  expect(ended).toEqual([{ turnId: cancelled?.turnId, text: 'Cancelled. Not done: note (CANCELLED).' }]);
});
