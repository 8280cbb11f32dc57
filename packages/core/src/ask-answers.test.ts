import { afterEach, describe, expect, it } from 'vitest';
import { createDurableWorld, MASTER, openedOne } from './fixtures/durable-world.ts';
import { QuestionError } from './index.ts';

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).reverse()) await one();
});

const over = { when: { lastRole: 'tool' }, text: 'over' } as const;
async function world(settings: object = {}) {
  const one = await createDurableWorld({ calls: [{ name: 'act', input: { to: 'bob' } }] }, over);
  undo.push(async () => one[Symbol.asyncDispose]());
  return { one, settings };
}
const request = { text: 'Act.', session: 's', principal: MASTER, attended: true } as const;

describe('an answer', () => {
  it('by somebody who is named and missing is refused, as a request would be', async () => {
    const { one } = await world();
    const runtime = await one.start({ tools: { act: one.tool('act', { requiresApproval: 'always' }) } });
    const turn = runtime.run(request);
    const { code } = await openedOne(turn);
    const by = { principal: undefined } as never;
    const said = await runtime.answer(code, { approve: true }, by).catch((error: unknown) => error);
    expect(said).not.toMatchObject({ status: 'counted' });
    await runtime.answer(code, { approve: false }, { principal: MASTER });
    await turn.result;
    expect(one.effects).toEqual([]);
  });

  it('by somebody known by no way that we know does not count', async () => {
    const { one } = await world();
    const runtime = await one.start({ tools: { act: one.tool('act', { requiresApproval: 'human' }) } });
    const turn = runtime.run(request);
    const { code } = await openedOne(turn);
    const { authentication: _, ...unknown } = MASTER;
    const said = await runtime
      .answer(code, { approve: true }, { principal: unknown as never })
      .catch((e: unknown) => e);
    expect(said).not.toMatchObject({ status: 'counted' });
    await runtime.answer(code, { approve: false }, { principal: MASTER });
    await turn.result;
    expect(one.effects).toEqual([]);
  });
});

describe('an option', () => {
  it.each([['❤️'], ['红\u3000色'], ['10\u00a0km'], ['👩‍💻']])('comes back as the tool wrote it: %j', async (option) => {
    const { one } = await world();
    const got: unknown[] = [];
    const act = one.tool('act', {}, async (_input, context) => {
      const answer = await context
        .question?.({ text: 'Which?', options: [option, 'other'] })
        .catch((error: unknown) => (QuestionError.isInstance(error) ? error.reason : String(error)));
      got.push(answer);
      return 'done';
    });
    const runtime = await one.start({ tools: { act } });
    const turn = runtime.run(request);
    const { code } = await openedOne(turn);
    expect(await runtime.answer(code, { value: '1' }, { principal: MASTER })).toMatchObject({ status: 'counted' });
    await turn.result;
    expect(got).toEqual([option]);
  });

  it('is meant by who types it as the tool wrote it', async () => {
    const { one } = await world();
    const act = one.tool('act', {}, async (_input, context) => {
      await context.question?.({ text: 'Which?', options: ['红\u3000色', 'other'] });
      return 'done';
    });
    const runtime = await one.start({ tools: { act } });
    const turn = runtime.run(request);
    const { code } = await openedOne(turn);
    const said = await runtime.answer(code, { value: '红\u3000色' }, { principal: MASTER });
    await runtime.answer(code, { approve: false }, { principal: MASTER });
    await turn.result;
    expect(said).toMatchObject({ status: 'counted' });
  });
});

describe('the longest times that the configuration takes', () => {
  it.each(['answerByMs', 'useByMs', 'dangerousUseByMs', 'timeoutMs'])('%s', async (key) => {
    const { one } = await world();
    const runtime = await one.start({
      tools: { act: one.tool('act', { requiresApproval: 'always' }) },
      settings: { approval: { [key]: Number.MAX_SAFE_INTEGER } },
    });
    const turn = runtime.run(key === 'timeoutMs' ? { ...request, origin: { kind: 'im' } } : request);
    const { code } = await openedOne(turn);
    expect(await runtime.asks({})).toHaveLength(1);
    expect(await runtime.answer(code, { approve: true }, { principal: MASTER })).toMatchObject({ status: 'counted' });
    expect(await turn.result).toMatchObject({ status: 'done' });
    expect(one.effects).toHaveLength(1);
  });
});

describe('approvers', () => {
  it('of whom there are none are said to be a fault', async () => {
    const { one } = await world();
    const started = await one.start({ settings: { approval: { approvers: [] } } }).then(
      (runtime) => runtime.problems,
      (error: unknown) => error,
    );
    expect(JSON.stringify(started)).toMatch(/approval\.approvers/);
  });
});
