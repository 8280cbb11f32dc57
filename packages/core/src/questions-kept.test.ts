import { createProject, type TemporaryProject } from '@baigong/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createDurableWorld, type DurableWorld, MASTER } from './fixtures/durable-world.ts';
import {
  type AnswerInput,
  type CallOptions,
  createRuntime,
  outcomeJson,
  type Runtime,
  type StoredAsk,
  type ToolContext,
} from './index.ts';

const tool = (isolation: string, body: string, level = 'never') => `
  import { defineAgentTool } from 'baigong';
  export default defineAgentTool({
    description: 'Asks.', requiresApproval: '${level}', isolation: '${isolation}', timeoutMs: 800,
    async execute(input, context) { ${body} },
  });`;

const WAIT_MS = 1_500;

let project: TemporaryProject;
let world: DurableWorld | undefined;
let runtime: Runtime;
beforeAll(async () => {
  const files: Record<string, string> = {};
  for (const isolation of ['inline', 'process']) {
    const add = (name: string, body: string, level?: string) => {
      files[`tools/${name}-${isolation}/index.ts`] = tool(isolation, body, level);
    };
    add('asks', "return context.question({ text: 'Name?' });");
    add('secured', "return 'done';", 'always');
    for (const end of ['asks', 'secured']) {
      add(`one-${end}`, `return context.invoke('${end}-${isolation}', {});`);
      add(`two-${end}`, `return context.invoke('one-${end}-${isolation}', {});`);
    }
  }
  project = await createProject(files);
  const { root } = project;
  runtime = await createRuntime({ project: root, home: root, store: 'memory', model: 'offline' });
});
afterEach(async () => {
  await world?.[Symbol.asyncDispose]();
  world = undefined;
});
afterAll(async () => {
  await runtime.close({ graceMs: 0 });
  await project.remove();
});

describe.each(['inline', 'process'])(
  'a call (%s) is not charged for the time in which a person is waited for',
  (isolation) => {
    it.concurrent.each<[string, string, AnswerInput, string]>([
      ['that asks a question', 'asks', { value: 'Ann' }, 'Ann'],
      ['whose own call asks a question', 'one-asks', { value: 'Ann' }, 'Ann'],
      ['whose own call makes one that asks a question', 'two-asks', { value: 'Ann' }, 'Ann'],
      ['whose own call needs an approval', 'one-secured', { approve: true }, 'done'],
      ['whose own call makes one that needs an approval', 'two-secured', { approve: true }, 'done'],
    ])('%s', async (_what, name, input, result) => {
      const answered = Promise.withResolvers<void>();
      const options: CallOptions = {
        principal: MASTER,
        attended: true,
        onAsk: ({ code }) =>
          void setTimeout(() => {
            runtime.answer(code, input, { principal: MASTER }).then(() => answered.resolve(), answered.reject);
          }, WAIT_MS),
      };
      const since = performance.now();
      const outcome = await runtime.call(`${name}-${isolation}`, {}, options);
      await answered.promise;
      expect(outcomeJson(outcome, 'en')).toMatchObject({ status: 'success', result });
      expect(outcome.durationMs).toBeLessThanOrEqual(performance.now() - since - WAIT_MS);
    });
  },
);

describe('a question with options', () => {
  /** What the code gets, and the ask, when this is typed. */
  async function choose(options: readonly string[], typed: string, settings = {}) {
    world = await createDurableWorld();
    const asks: StoredAsk[] = [];
    const body = ({ question }: ToolContext) =>
      question?.({ text: 'Which?', options }).catch((error: Error) => error.name);
    const runtime = await world.start({
      tools: { asks: world.tool('asks', {}, (_input, context) => body(context)) },
      settings,
    });
    const onAsk = (ask: StoredAsk) => {
      asks.push(ask);
      void runtime.answer(ask.code, { value: typed }, { principal: MASTER });
    };
    const outcome = await runtime.call('asks', {}, { principal: MASTER, attended: true, onAsk });
    return { result: (outcomeJson(outcome, 'en') as { readonly result?: unknown }).result, asks };
  }

  it.each([['❤️'], ['👨‍👩‍👧'], ['a\u00a0b'], ['two\nlines'], [' padded '], ['Ａ'], ['\u202egnp.exe']])(
    'is answered by one of them as the code wrote it: %j',
    async (option) => {
      expect(await choose(['other', option], '2')).toMatchObject({ result: option });
      expect(await choose(['other', option], option)).toMatchObject({ result: option });
    },
  );

  it('lets each be chosen of those that look the same when they are safe to print', async () => {
    const options = ['a\\u{200b}', 'a\u200b', 'b'];
    const { result, asks } = await choose(options, '2');
    expect(result).toBe(options[1]);
    expect(asks).toMatchObject([{ card: { options: ['a\\u{200b}', 'a\\u{200b} (2)', 'b'] } }]);
  });

  it('refuses a list with holes', async () => {
    expect(await choose(new Array(1), '1')).toEqual({ result: 'TypeError', asks: [] });
  });
});

describe('ask_user', () => {
  it.each([
    ['a blank question', ' ', 'INVALID_ARGUMENTS'],
    ['many emoji', '😀'.repeat(3_000), 'success'],
    ['too many emoji', '😀'.repeat(4_001), 'INVALID_ARGUMENTS'],
  ])('blames the arguments where they are to blame: %s', async (_what, question, end) => {
    world = await createDurableWorld({ calls: [{ name: 'ask_user', input: { question } }] }, { text: 'said' });
    const runtime = await world.start();
    const turn = runtime.run({ text: 'x', principal: MASTER, attended: true });
    const ends: string[] = [];
    for await (const event of turn) {
      if (event.type === 'tool-end') ends.push(event.outcome.status === 'error' ? event.outcome.code : 'success');
      if (event.type === 'ask-open') void runtime.answer(event.ask.code, { value: 'ok' }, { principal: MASTER });
    }
    expect(ends).toEqual([end]);
  });
});

describe('code that runs again and asks something else at the same place', () => {
  async function parked() {
    world = await createDurableWorld({ calls: [{ name: 'form', input: {} }] }, { text: 'said' });
    let runs = 0;
    const hints = { annotations: { readOnlyHint: true, openWorldHint: false } };
    const form = world.tool('form', hints, async (_input, { question }) => {
      runs += 1;
      const asked = runs === 1 ? 'Throw away a?' : 'Throw away b?';
      return `${asked} ${await question?.({ text: asked })}`;
    });
    const runtime = await world.start({ settings: { turn: { parkAfterMs: 20 } }, tools: { form } });
    const { turnId, asks } = await runtime.run({ text: 'x', principal: MASTER, attended: true }).result;
    await runtime.answer(asks?.[0]?.code ?? '', { value: 'yes' }, { principal: MASTER });
    const find = () => runtime.asks({ turnId });
    await expect
      .poll(async () => (await find()).map(({ card }) => 'text' in card && card.text))
      .toContain('Throw away b?');
    return { runtime, turnId, find };
  }

  it('does not get the answer to the first question', async () => {
    const { runtime, turnId, find } = await parked();
    const second = (await find()).find(({ state }) => state === 'open');
    await runtime.answer(second?.code ?? '', { value: 'no' }, { principal: MASTER });
    expect(await runtime.ended(turnId)).toMatchObject({ status: 'done' });
    const prompt = JSON.stringify(world?.server.requests.at(-1));
    expect(prompt).toContain('Throw away b? no');
    expect(prompt).not.toContain('Throw away b? yes');
  });
});
