/** Baigong inside a program of your own: one tool from code, one turn, one direct call. Needs no key and no files. */
import { createRuntime, defineAgentTool } from 'baigong';

const runtime = await createRuntime({
  store: 'memory',
  tools: {
    add: defineAgentTool<{ a: number; b: number }>({
      description: 'Adds two numbers. Use for sums.',
      inputSchema: {
        type: 'object',
        properties: { a: { type: 'number' }, b: { type: 'number' } },
        required: ['a', 'b'],
      },
      requiresApproval: 'never',
      annotations: { readOnlyHint: true, openWorldHint: false },
      execute: ({ a, b }) => ({ sum: a + b }),
    }),
  },
});

const turn = runtime.run({ text: '/tool add a=1 b=2', session: 'demo' });
for await (const event of turn) {
  if (event.type === 'text-delta') process.stdout.write(event.text);
}
const { status } = await turn.result;
console.log(`\nturn: ${status} (model: ${runtime.model.name})`);

const outcome = await runtime.call('add', { a: 40, b: 2 });
console.log('call:', outcome.status === 'success' ? outcome.result.value : outcome.code);

await runtime.close();
