import { join } from 'node:path';
import { createProject } from '@baigong/testing';
import { expect, it } from 'vitest';
import { createRuntime, defineAgentTool } from './index.ts';

const empty = { type: 'object', properties: {} } as const;

it.each([
  ['an approval of a call that it makes', 'calls'],
  ['a question', 'asks'],
])(
  'a call that cannot be put aside is cut off while it waits for %s: nobody is asked any more',
  async (_what, tool) => {
    await using folder = await createProject();
    const sent: string[] = [];
    const open = () =>
      createRuntime({
        store: { file: join(folder.root, 'state.db') },
        environment: {},
        tools: {
          send: defineAgentTool({
            description: 'Sends. Use when something is to be sent.',
            inputSchema: empty,
            requiresApproval: 'always',
            execute: () => {
              sent.push('sent');
              return 'sent';
            },
          }),
          calls: defineAgentTool({
            description: 'Calls another. Use when it is wanted.',
            inputSchema: empty,
            requiresApproval: 'never',
            execute: (_input, { invoke }) => invoke('send', {}),
          }),
          asks: defineAgentTool({
            description: 'Asks. Use when it is wanted.',
            inputSchema: empty,
            requiresApproval: 'never',
            execute: async (_input, { question }) => String(await question?.({ text: 'Which?' })),
          }),
        },
      });
    const first = await open();
    const turn = first.run({ text: `/tool ${tool}`, attended: true });
    for await (const event of turn) {
      if (event.type !== 'ask-open') continue;
      expect(event.holds).toBe(true);
      void first.close({ graceMs: 50 });
    }
    expect(await turn.result).toMatchObject({ status: 'parked', asks: [] });
    await first.close();
    const second = await open();
    expect(await second.asks()).toEqual([]);
    expect(await second.ended(turn.id)).toMatchObject({ status: 'done' });
    const outcomes = (await second.messages(turn.id)).flatMap((one) => (one.role === 'tool' ? [one.outcome] : []));
    expect(outcomes).toMatchObject([{ status: 'error', effect: 'unknown' }]);
    expect(sent).toEqual([]);
    await second.close();
  },
);
