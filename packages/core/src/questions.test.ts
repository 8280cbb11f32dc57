import { createProject, type ScriptedModelServer, startScriptedModel, type TemporaryProject } from '@baigong/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MASTER, openedOne } from './fixtures/durable-world.ts';
import { type CallOptions, createRuntime, outcomeJson, type Runtime, type StoredAsk } from './index.ts';

const tool = (isolation: string, body: string, members = '') => `
  import { defineAgentTool, QuestionError } from 'baigong';
  import { setTimeout } from 'node:timers/promises';
  export default defineAgentTool({
    description: 'Asks.', requiresApproval: 'never', isolation: '${isolation}', timeoutMs: 700, ${members}
    inputSchema: { type: 'object' },
    async execute(input, context) { ${body} },
  });`;

const bodies = {
  asks: `
    const answers = [];
    for (const question of input.questions) {
      answers.push(await context.question(question).catch((error) => (QuestionError.isInstance(error) ? error.reason : error.message)));
    }
    return answers;`,
  works: `
    const answer = await context.question({ text: 'Go on?' });
    await setTimeout(input.ms);
    return answer;`,
  both: `return Promise.all(['a', 'b'].map((text) => context.question({ text })));`,
  alone: "return typeof context.question + ' ' + ('question' in context);",
  outer: "return { outer: await context.invoke('secured', {}) };",
} as const;

let project: TemporaryProject;
let server: ScriptedModelServer;
const open: Runtime[] = [];
beforeAll(async () => {
  const files: Record<string, string> = {
    'tools/secured/index.ts': `
      import { defineAgentTool } from 'baigong';
      export default defineAgentTool({ description: 'Needs an approval.', requiresApproval: 'always', execute: () => 'done' });`,
  };
  for (const [name, body] of Object.entries(bodies)) {
    for (const isolation of ['inline', 'process']) files[`tools/${name}-${isolation}/index.ts`] = tool(isolation, body);
  }
  project = await createProject(files);
  server = await startScriptedModel({ answers: [] });
});
afterEach(async () => {
  for (const runtime of open.splice(0)) await runtime.close({ graceMs: 0 });
});
afterAll(async () => {
  await server.close();
  await project.remove();
});

async function start(settings = {}): Promise<Runtime> {
  const runtime = await createRuntime({
    project: project.root,
    home: project.root,
    store: 'memory',
    model: 'offline',
    settings,
  });
  open.push(runtime);
  return runtime;
}

const attended: CallOptions = { principal: MASTER, attended: true };

describe.each(['inline', 'process'])('context.question of a tool that runs %s', (isolation) => {
  it('asks one after another, and gets what was answered', async () => {
    const runtime = await start({ approval: { answerByMs: 3_000 } });
    const asks: StoredAsk[] = [];
    const replies = [{ value: 'Ann' }, { value: '2' }, { approve: false }] as const;
    const questions = [
      { text: 'Name?' },
      { text: 'Colour?', options: ['red', 'blue'] },
      { text: 'Age?' },
      { text: '' },
      { text: 'x', options: [] },
    ];
    const outcome = await runtime.call(
      `asks-${isolation}`,
      { questions },
      {
        ...attended,
        onAsk: (ask) => {
          asks.push(ask);
          void runtime.answer(ask.code, replies[asks.length - 1] ?? { approve: false }, { principal: MASTER });
        },
      },
    );
    expect(outcomeJson(outcome, 'en')).toMatchObject({
      status: 'success',
      result: ['Ann', 'blue', 'refused', expect.stringMatching(/1 to 4000/), expect.stringMatching(/options/)],
    });
    expect(asks.map((ask) => (ask.kind === 'question' ? ask.ordinal : 0))).toEqual([1, 2, 3]);
  });

  it('says when nobody answers in time', async () => {
    const runtime = await start({ approval: { answerByMs: 30 } });
    const outcome = await runtime.call(`asks-${isolation}`, { questions: [{ text: 'Name?' }] }, attended);
    expect(outcomeJson(outcome, 'en')).toMatchObject({ status: 'success', result: ['expired'] });
  });

  it.each([
    ['little', 300, 'success'],
    ['too much', 3_000, 'error'],
  ] as const)('counts only the time in which the tool works: %s of it', async (_what, ms, status) => {
    const runtime = await start();
    const outcome = await runtime.call(
      `works-${isolation}`,
      { ms },
      {
        ...attended,
        // Longer than the limit of the call.
        onAsk: ({ code }) =>
          void setTimeout(() => void runtime.answer(code, { value: 'yes' }, { principal: MASTER }), 1_200),
      },
    );
    expect(outcome).toMatchObject({ status });
    if (outcome.status === 'error') expect(outcome.code).toBe('TIMEOUT');
  });

  it('keeps two questions at once apart', async () => {
    const runtime = await start();
    const outcome = await runtime.call(
      `both-${isolation}`,
      {},
      {
        ...attended,
        onAsk: ({ code, card }) => {
          const value = 'text' in card ? `answer to ${card.text}` : '';
          void setTimeout(
            () => void runtime.answer(code, { value }, { principal: MASTER }),
            value.endsWith('a') ? 100 : 0,
          );
        },
      },
    );
    expect(outcome).toMatchObject({ status: 'success', result: { value: ['answer to a', 'answer to b'] } });
  });

  it('is absent where nobody is at hand', async () => {
    const runtime = await start();
    expect(await runtime.call(`alone-${isolation}`, {})).toMatchObject({ result: { value: 'undefined false' } });
  });

  it('is ended at once by a cancel', async () => {
    const runtime = await start();
    const stop = new AbortController();
    const outcome = await runtime.call(
      `works-${isolation}`,
      { ms: 0 },
      {
        ...attended,
        signal: stop.signal,
        onAsk: () => stop.abort(),
      },
    );
    expect(outcome).toMatchObject({ status: 'error', code: 'CANCELLED', effect: 'unknown' });
    expect(await runtime.asks()).toEqual([]);
  });

  it('an approval of a call that it makes is asked for, off its time, and for exactly that call', async () => {
    const runtime = await start();
    const asked = Promise.withResolvers<StoredAsk>();
    const calling = runtime.call(`outer-${isolation}`, {}, { ...attended, onAsk: asked.resolve });
    const ask = await asked.promise;
    expect(ask).toMatchObject({
      kind: 'approval',
      card: { tool: 'secured' },
      callId: expect.stringMatching(/\.0\.0\.1$/),
    });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await runtime.answer(ask.code, { approve: true }, { principal: MASTER });
    expect(await calling).toMatchObject({ status: 'success', result: { value: { outer: 'done' } } });
  });
});

it('a chat turn gets what it asked for from the person who wrote', async () => {
  const runtime = await start();
  const turn = runtime.run({
    text: '/tool asks-process questions=[{"text":"Name?"}]',
    principal: MASTER,
    attended: true,
  });
  const ask = await openedOne(turn);
  await runtime.answer(ask.code, { value: 'Ann' }, { principal: MASTER });
  expect((await turn.result).text).toContain('Ann');
});
