import { afterEach, describe, expect, it } from 'vitest';
import {
  createDurableWorld,
  type DurableWorld,
  GUEST,
  lastResults,
  MASTER,
  opened,
  openedOne,
  until,
} from './fixtures/durable-world.ts';
import type { RuntimeOptions } from './index.ts';
import { createSqliteStore } from './store/index.ts';

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).reverse()) await one();
});

async function worldOf(...answers: Parameters<typeof createDurableWorld>): Promise<DurableWorld> {
  const world = await createDurableWorld(...answers);
  undo.push(async () => world[Symbol.asyncDispose]());
  return world;
}

const send = { calls: [{ name: 'send', input: { to: 'bob' } }] };
const said = { text: 'All done.' };
const request = { text: 'Send it.', session: 's', principal: MASTER, attended: true } as const;

describe('an approval', () => {
  it('is asked before anything happens, and the approved call runs once', async () => {
    const world = await worldOf(send, said);
    const runtime = await world.start({ tools: { send: world.tool('send', { requiresApproval: 'always' }) } });
    const turn = runtime.run(request);
    const ask = await openedOne(turn);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(world.effects).toEqual([]);
    expect(ask).toMatchObject({ kind: 'approval', state: 'open', card: { tool: 'send', arguments: '{"to":"bob"}' } });
    expect(await runtime.answer(ask.code.toLowerCase(), { approve: true }, { principal: MASTER })).toMatchObject({
      status: 'counted',
    });
    expect(await turn.result).toMatchObject({ status: 'done', text: 'All done.' });
    expect(world.effects).toEqual([{ tool: 'send', input: { to: 'bob' }, callId: ask.callId }]);
    expect(lastResults(world)).toEqual(['send is done']);
    // The time until the answer is no time of the call.
    const result = (await runtime.messages(turn.id)).find(({ role }) => role === 'tool');
    expect(result?.role === 'tool' ? result.outcome.durationMs : 1_000).toBeLessThan(1_000);
    expect(await runtime.answer(ask.code, { approve: true }, { principal: MASTER })).toMatchObject({ status: 'late' });
  });

  it('that is denied ends the call, with the reason, and the turn goes on', async () => {
    const world = await worldOf(send, said);
    const runtime = await world.start({ tools: { send: world.tool('send', { requiresApproval: 'always' }) } });
    const turn = runtime.run(request);
    const ask = await openedOne(turn);
    await runtime.answer(ask.code, { approve: false, reason: 'not to Bob' }, { principal: MASTER });
    expect(await turn.result).toMatchObject({ status: 'done' });
    expect(world.effects).toEqual([]);
    expect(lastResults(world)[0]).toMatch(/APPROVAL_DENIED[\s\S]*not to Bob[\s\S]*[Dd]o not retry/);
  });

  it.each([
    ['a guest', GUEST, 'always', 'refused'],
    ['nobody in particular', { ...MASTER, authentication: 'none' }, 'always', 'refused'],
    ['a program', undefined, 'human', 'refused'],
    ['a program with a token of a person', { ...MASTER, authentication: 'token', isPerson: true }, 'human', 'counted'],
    ['a program', undefined, 'always', 'counted'],
    ['a person', MASTER, 'human', 'counted'],
  ] as const)('by %s (%#) of a call of level %s: %s', async (_who, principal, requiresApproval, status) => {
    const world = await worldOf(send, said);
    const runtime = await world.start({ tools: { send: world.tool('send', { requiresApproval }) } });
    const turn = runtime.run(request);
    const ask = await openedOne(turn);
    const by = principal === undefined ? {} : { principal };
    expect((await runtime.answer(ask.code, { approve: true }, by)).status).toBe(status);
    expect(world.effects).toEqual([]);
    if (status === 'refused') await runtime.answer(ask.code, { approve: true }, { principal: MASTER });
    await turn.result;
    expect(world.effects).toHaveLength(1);
  });

  it('is refused at once where nobody can be asked, with the way to allow it', async () => {
    const world = await worldOf(send, said);
    const runtime = await world.start({ tools: { send: world.tool('send', { requiresApproval: 'once' }) } });
    expect(await runtime.run({ ...request, attended: false }).result).toMatchObject({ status: 'done' });
    expect(lastResults(world)[0]).toMatch(/NEEDS_HUMAN[\s\S]*approval\.unattended/);
    expect(world.effects).toEqual([]);
    expect(await runtime.asks({})).toEqual([]);
  });

  it('of once holds for the person, the tool and the session, until the session is reset', async () => {
    const again = [send, said];
    const world = await worldOf(...again, ...again, ...again, ...again);
    const runtime = await world.start({ tools: { send: world.tool('send', { requiresApproval: 'once' }) } });
    const first = runtime.run(request);
    await runtime.answer((await openedOne(first)).code, { approve: true });
    await first.result;
    expect(await runtime.run(request).result).toMatchObject({ status: 'done' });
    expect(world.effects).toHaveLength(2);
    const other = runtime.run({ ...request, session: 'other' });
    await runtime.answer((await openedOne(other)).code, { approve: false });
    await other.result;
    await runtime.resetSession('s');
    const anew = runtime.run(request);
    await runtime.answer((await openedOne(anew)).code, { approve: false });
    await anew.result;
    expect(world.effects).toHaveLength(2);
  });

  it('runs out: nobody answered', async () => {
    const world = await worldOf(send, said);
    const settings = { approval: { answerByMs: 30 } };
    const runtime = await world.start({
      settings,
      tools: { send: world.tool('send', { requiresApproval: 'always' }) },
    });
    const turn = runtime.run(request);
    expect(await turn.result).toMatchObject({ status: 'done' });
    expect(lastResults(world)[0]).toMatch(/APPROVAL_TIMEOUT/);
    expect(world.effects).toEqual([]);
    const [ask] = await runtime.asks({ sessionKey: 's' });
    expect(ask?.state).toBe('expired');
  });

  it('that was not used in time is asked again, and a denial before the start wins', async () => {
    const slow = { calls: [...send.calls, { name: 'send', input: { to: 'eve' } }] };
    const world = await worldOf(slow, said);
    const gates = [Promise.withResolvers<void>()];
    const tools = {
      send: world.tool('send', { requiresApproval: 'always' }, async (input) => {
        if (input.to === 'bob') await gates[0]?.promise;
        return 'sent';
      }),
    };
    const runtime = await world.start({ settings: { approval: { useByMs: 2_000 } }, tools });
    const turn = runtime.run(request);
    const [bob, eve] = await opened(turn, 2);
    for (const ask of [bob, eve]) await runtime.answer(ask?.code ?? '', { approve: true });
    await until('the first call runs', () => world.effects.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    gates[0]?.resolve();
    await until('it is asked again', async () => (await runtime.asks()).length === 1);
    const [again] = await runtime.asks();
    expect(again).toMatchObject({ callId: eve?.callId, card: { arguments: '{"to":"eve"}' } });
    expect(again?.id).not.toBe(eve?.id);
    await runtime.answer(again?.code ?? '', { approve: false });
    await turn.result;
    expect(world.effects).toHaveLength(1);
  });

  it('is taken back before the start, and asks a call that runs to stop', async () => {
    const two = { calls: [...send.calls, { name: 'wipe', input: {} }] };
    const world = await worldOf(two, said);
    const aborted = Promise.withResolvers<unknown>();
    const wait = (_input: unknown, { signal }: { readonly signal: AbortSignal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          aborted.resolve(signal.reason);
          reject(new Error('stopped'));
        });
      });
    const tools = {
      send: world.tool('send', { requiresApproval: 'always' }, wait),
      wipe: world.tool('wipe', { requiresApproval: 'always' }),
    };
    const runtime = await world.start({ tools });
    const turn = runtime.run(request);
    const [one, other] = await opened(turn, 2);
    for (const ask of [one, other]) await runtime.answer(ask?.code ?? '', { approve: true });
    await until('the first call runs', () => world.effects.length === 1);
    expect(await runtime.answer(other?.code ?? '', { approve: false })).toMatchObject({ status: 'counted' });
    expect(await runtime.answer(one?.code ?? '', { approve: false })).toMatchObject({ status: 'stopping' });
    await aborted.promise;
    await turn.result;
    expect(world.effects.map(({ tool }) => tool)).toEqual(['send']);
    const [stopped, denied] = lastResults(world);
    expect(stopped).toMatch(/CANCELLED[\s\S]*may have happened/);
    expect(denied).toMatch(/APPROVAL_DENIED/);
  });

  it('denied closes the other asks of the same tool in the turn, and later calls of it are refused unasked', async () => {
    const three = { calls: ['bob', 'eve', 'dan'].map((to) => ({ name: 'send', input: { to } })) };
    const world = await worldOf(three, { calls: [{ name: 'send', input: { to: 'zoe' } }] }, said);
    const runtime = await world.start({ tools: { send: world.tool('send', { requiresApproval: 'always' }) } });
    const turn = runtime.run(request);
    const asks = await opened(turn, 3);
    await runtime.answer(asks[1]?.code ?? '', { approve: false });
    await turn.result;
    expect(world.effects).toEqual([]);
    expect((await runtime.asks({ turnId: turn.id })).map(({ state }) => state)).toEqual([
      'withdrawn',
      'denied',
      'withdrawn',
    ]);
    expect(lastResults(world)).toHaveLength(4);
    for (const result of lastResults(world)) expect(result).toMatch(/APPROVAL_DENIED/);
  });

  it.each([
    ['auto', 'once', 'runs'],
    ['auto', 'always', 'runs'],
    ['auto', 'human', 'asks'],
    ['deny', 'once', 'refuses'],
    ['deny', 'human', 'refuses'],
    ['deny', 'never', 'runs'],
    ['approve', 'never', 'runs'],
    ['approve', 'once', 'asks'],
  ] as const)('mode %s, level %s: %s', async (mode, requiresApproval, what) => {
    const world = await worldOf(send, said);
    const settings: NonNullable<RuntimeOptions['settings']> = { approval: { mode } };
    const runtime = await world.start({ settings, tools: { send: world.tool('send', { requiresApproval }) } });
    const turn = runtime.run(request);
    if (what === 'asks') await runtime.answer((await openedOne(turn)).code, { approve: true }, { principal: MASTER });
    await turn.result;
    expect(world.effects).toHaveLength(what === 'refuses' ? 0 : 1);
    if (what === 'refuses') expect(lastResults(world)[0]).toMatch(/APPROVAL_DENIED/);
    expect(await runtime.asks({})).toHaveLength(what === 'asks' ? 1 : 0);
  });
});

describe('a turn that waits', () => {
  const parking = { turn: { parkAfterMs: 20 } };

  it('parks and gives everything back; later turns run and see one note; its reply follows', async () => {
    const world = await worldOf(send, { when: { lastUser: 'Hello?' }, text: 'Hello.' }, said, { text: 'Bye.' });
    const tools = { send: world.tool('send', { requiresApproval: 'always' }) };
    const runtime = await world.start({ settings: parking, tools });
    const parked = await runtime.run(request).result;
    expect(parked).toMatchObject({ status: 'parked', asks: [{ state: 'open' }] });
    const code = parked.asks?.[0]?.code ?? '';
    expect(await runtime.run({ ...request, text: 'Hello?' }).result).toMatchObject({ status: 'done', text: 'Hello.' });
    const during = world.server.requests.at(-1);
    expect(during?.system).toContain(code);
    expect(during?.messages.map(({ text }) => text)).toEqual(['Hello?']);
    const answered = await runtime.answer(code, { approve: true });
    expect(answered.status).toBe('counted');
    expect(await runtime.ended(parked.turnId)).toMatchObject({ status: 'done', text: 'All done.' });
    await until('the reply is delivered', () => world.replies.length === 1);
    expect(world.replies).toMatchObject([{ turnId: parked.turnId, sessionKey: 's', text: 'All done.' }]);
    expect(world.effects).toHaveLength(1);
    await runtime.run({ ...request, text: 'Bye!' }).result;
    const after = world.server.requests.at(-1);
    expect(after?.system).not.toContain(code);
    expect(after?.messages.map(({ role, text }) => (role === 'user' ? text : role))).toEqual([
      'Hello?',
      'assistant',
      'Send it.',
      'assistant',
      'tool',
      'assistant',
      'Bye!',
    ]);
  });

  it('goes on in another process, with what is true there', async () => {
    const world = await worldOf(send, said);
    const tools = { send: world.tool('send', { requiresApproval: 'always' }) };
    const first = await world.start({ settings: parking, tools });
    const { turnId, asks } = await first.run(request).result;
    await first.close();
    const second = await world.start({ tools, takeUp: false });
    await second.answer(asks?.[0]?.code ?? '', { approve: true });
    await second.close();
    const third = await world.start({ tools });
    expect(await third.ended(turnId)).toMatchObject({ status: 'done', text: 'All done.' });
    expect(world.effects).toHaveLength(1);
  });

  it('stays with what was asked where the rules were loosened meanwhile', async () => {
    const world = await worldOf(send, said);
    const tools = { send: world.tool('send', { requiresApproval: 'always' }) };
    const first = await world.start({ settings: parking, tools });
    const { turnId, asks } = await first.run(request).result;
    await first.close();
    const second = await world.start({ tools, settings: { ...parking, approval: { mode: 'auto' } } });
    await second.takeUp();
    expect(await second.turn(turnId)).toMatchObject({ status: 'parked' });
    await second.answer(asks?.[0]?.code ?? '', { approve: false });
    expect(await second.ended(turnId)).toMatchObject({ status: 'done' });
    expect(world.effects).toEqual([]);
  });

  it('is refused where the rules were tightened meanwhile, whatever was approved', async () => {
    const world = await worldOf(send, said);
    const tools = { send: world.tool('send', { requiresApproval: 'always' }) };
    const first = await world.start({ settings: parking, tools });
    const { turnId, asks } = await first.run(request).result;
    await first.close();
    const second = await world.start({ tools, settings: { approval: { mode: 'deny' } } });
    await second.answer(asks?.[0]?.code ?? '', { approve: true });
    await second.ended(turnId);
    expect(lastResults(world)[0]).toContain('APPROVAL_DENIED');
    expect(world.effects).toEqual([]);
  });

  it('leaves no call behind that its code had made', async () => {
    const world = await worldOf({ calls: [{ name: 'outer', input: {} }] }, said);
    const tools = (isPatient: boolean) => ({
      outer: world.tool('outer', { annotations: { idempotentHint: true } }, async (_input, { invoke }) =>
        isPatient ? invoke('send', { to: 'bob' }) : 'another way',
      ),
      send: world.tool('send', { requiresApproval: 'always' }),
    });
    const first = await world.start({ settings: parking, tools: tools(true) });
    const { turnId, asks } = await first.run(request).result;
    expect(asks).toMatchObject([{ callId: `${turnId}.1.0.1` }]);
    await first.close();
    const second = await world.start({ tools: tools(false) });
    // Whatever is said to it, the code that asked for it goes another way now.
    await second.answer(asks?.[0]?.code ?? '', { approve: true });
    expect(await second.ended(turnId)).toMatchObject({ status: 'done' });
    expect((await second.calls(turnId)).map(({ id, state, code }) => [id, state, code])).toEqual([
      [`${turnId}.1.0`, 'ended', undefined],
      [`${turnId}.1.0.1`, 'ended', 'CANCELLED'],
    ]);
    expect(world.effects.map(({ tool }) => tool)).toEqual(['outer', 'outer']);
  });

  it.each([
    ['changed', 'DEFINITION_CHANGED'],
    ['gone', 'UNKNOWN_TOOL'],
    ['not for that person any more', 'UNKNOWN_TOOL'],
  ] as const)('does not run a tool that is %s', async (what, code) => {
    const world = await worldOf(send, said);
    const approved = { requiresApproval: 'always', permissions: ['role(trusted)'] } as const;
    const first = await world.start({ settings: parking, tools: { send: world.tool('send', approved) } });
    const { turnId, asks } = await first.run(request).result;
    await first.close();
    const changed = world.tool('send', { ...approved, description: 'Does send and something else.' });
    const second = await world.start({
      tools: what === 'gone' ? {} : { send: what === 'changed' ? changed : world.tool('send', approved) },
      ...(what.startsWith('not') ? { roleOf: () => 'user' as const } : {}),
    });
    await second.answer(asks?.[0]?.code ?? '', { approve: true });
    expect(await second.ended(turnId)).toMatchObject({ status: 'done' });
    expect(lastResults(world)[0]).toContain(code);
    expect(world.effects).toEqual([]);
    expect(await second.asks()).toEqual([]);
  });

  it('is ended by its id, and its ask with it; `supersede` and cancelling the session leave it alone', async () => {
    const world = await worldOf(send, { text: 'Hello.' });
    const tools = { send: world.tool('send', { requiresApproval: 'always' }) };
    const runtime = await world.start({ settings: parking, tools });
    const { turnId, asks } = await runtime.run(request).result;
    expect(await runtime.cancel({ session: 's' })).toEqual({ turns: [] });
    await runtime.run({ ...request, text: 'Hello?', overlap: 'supersede' }).result;
    expect(await runtime.turn(turnId)).toMatchObject({ status: 'parked' });
    expect(await runtime.cancel({ turn: turnId })).toEqual({ turns: [turnId] });
    expect(await runtime.ended(turnId)).toMatchObject({ status: 'cancelled' });
    expect(await runtime.answer(asks?.[0]?.code ?? '', { approve: true })).toMatchObject({ status: 'late' });
    expect(world.effects).toEqual([]);
    const messages = await runtime.messages(turnId);
    expect(messages.filter(({ role }) => role === 'tool')).toMatchObject([
      { outcome: { code: 'CANCELLED', effect: 'none' } },
    ]);
  });

  it('lets read-only calls of the step run at once, and others wait in order', async () => {
    const four = {
      calls: [
        { name: 'look', input: {} },
        { name: 'send', input: { to: 'bob' } },
        { name: 'look', input: { again: true } },
        { name: 'post', input: {} },
      ],
    };
    const world = await worldOf(four, said);
    const readOnly = { annotations: { readOnlyHint: true, openWorldHint: false } } as const;
    const tools = {
      look: world.tool('look', readOnly),
      send: world.tool('send', { requiresApproval: 'always' }),
      post: world.tool('post'),
    };
    const runtime = await world.start({ tools });
    const turn = runtime.run(request);
    const ask = await openedOne(turn);
    await until('both looks', () => world.effects.length === 2);
    expect(world.effects.map(({ tool }) => tool)).toEqual(['look', 'look']);
    await runtime.answer(ask.code, { approve: true });
    await turn.result;
    expect(world.effects.map(({ tool }) => tool)).toEqual(['look', 'look', 'send', 'post']);
    expect(lastResults(world)).toEqual(['look is done', 'send is done', 'look is done', 'post is done']);
  });
});

describe('a question', () => {
  const ask = { calls: [{ name: 'ask_user', input: { question: 'Which one?', options: ['red', 'blue'] } }] };

  it('of ask_user reaches its person only, and the answer the model', async () => {
    const world = await worldOf(ask, said);
    const runtime = await world.start();
    const turn = runtime.run({ ...request, principal: GUEST });
    const open = await openedOne(turn);
    expect(open).toMatchObject({ kind: 'question', card: { text: 'Which one?', options: ['red', 'blue'] } });
    expect((await runtime.answer(open.code, { value: 'red' }, { principal: MASTER })).status).toBe('refused');
    expect((await runtime.answer(open.code, { value: 'green' }, { principal: GUEST })).status).toBe('refused');
    expect((await runtime.answer(open.code, { approve: true }, { principal: GUEST })).status).toBe('refused');
    const elsewhere = { principal: GUEST, session: 'other' };
    expect((await runtime.answer(open.code, { value: 'red' }, elsewhere)).status).toBe('refused');
    expect((await runtime.answer(open.code, { value: '2' }, { principal: GUEST, session: 's' })).status).toBe(
      'counted',
    );
    await turn.result;
    expect(lastResults(world)).toEqual(['blue']);
  });

  it('is not there in turns where nobody can be asked', async () => {
    const world = await worldOf({ text: 'Fine.' }, { text: 'Fine.' });
    const runtime = await world.start();
    await runtime.run({ ...request, attended: false }).result;
    await runtime.run(request).result;
    expect(world.server.requests.map(({ toolNames }) => toolNames)).toEqual([[], ['ask_user']]);
  });

  it('goes on in the language and the time zone of its person', async () => {
    const world = await worldOf({ calls: [{ name: 'look', input: {} }] }, said);
    const look = world.tool('look', { requiresApproval: 'always' }, async (_input, { locale, timeZone }) =>
      [locale, timeZone].join(' '),
    );
    const settings = { turn: { parkAfterMs: 20 } };
    const first = await world.start({ settings, tools: { look }, locale: 'zh', timeZone: 'Asia/Tokyo' });
    const { turnId, asks } = await first.run(request).result;
    await first.close();
    const second = await world.start({ tools: { look }, locale: 'en', timeZone: 'Europe/Oslo' });
    await second.answer(asks?.[0]?.code ?? '', { approve: true }, { principal: MASTER });
    expect(await second.ended(turnId)).toMatchObject({ status: 'done' });
    expect(lastResults(world)).toEqual(['zh Asia/Tokyo']);
  });

  it('of a tool that may run again survives parking: stored answers come back unasked', async () => {
    const world = await worldOf({ calls: [{ name: 'form', input: {} }] }, said);
    const form = world.tool(
      'form',
      { annotations: { readOnlyHint: true, openWorldHint: false } },
      async (_input, { question }) => {
        const answers = [await question?.({ text: 'Your name?' }), await question?.({ text: 'Your town?' })];
        return answers.join(' of ');
      },
    );
    const first = await world.start({ settings: { turn: { parkAfterMs: 20 } }, tools: { form } });
    const { turnId, asks } = await first.run(request).result;
    await first.answer(asks?.[0]?.code ?? '', { value: 'Ann' }, { principal: MASTER });
    await until('the next question', async () => (await first.asks()).some(({ id }) => id !== asks?.[0]?.id));
    await first.close();
    const second = await world.start({ tools: { form } });
    const [next] = await second.asks();
    expect(next).toMatchObject({ card: { text: 'Your town?' } });
    await second.answer(next?.code ?? '', { value: 'Oslo' }, { principal: MASTER });
    expect(await second.ended(turnId)).toMatchObject({ status: 'done' });
    expect(lastResults(world)).toEqual(['Ann of Oslo']);
    expect(await second.asks({})).toHaveLength(2);
  });
});

describe('what may have happened', () => {
  it('is said to the model, and the same call is asked about whatever its level', async () => {
    const world = await worldOf(send, said, send, said);
    let hang = true;
    const send_ = world.tool('send', { timeoutMs: 40 } as object, () => (hang ? new Promise(() => {}) : 'sent'));
    const runtime = await world.start({ tools: { send: send_ } });
    await runtime.run(request).result;
    expect(lastResults(world)[0]).toMatch(/TIMEOUT[\s\S]*may have happened/);
    hang = false;
    const again = runtime.run(request);
    const ask = await openedOne(again);
    expect(ask).toMatchObject({ kind: 'approval', needsPerson: true });
    await runtime.answer(ask.code, { approve: true }, { principal: MASTER });
    await again.result;
    expect(world.effects).toHaveLength(2);
  });
});

describe('a result that comes too late', () => {
  it('is noted and told to people, and no result to the model', async () => {
    const world = await worldOf(send, said, said);
    const gate = Promise.withResolvers<void>();
    const slow = world.tool('send', {}, async () => {
      await gate.promise;
      return 'sent after all';
    });
    const runtime = await world.start({ tools: { send: slow } });
    const turn = runtime.run(request);
    await until('the call runs', () => world.effects.length === 1);
    // To this store the process that runs the turn is gone.
    const other = await createSqliteStore({ file: world.file, isAlive: () => false });
    expect(await other.claim(turn.id, Date.now(), () => false)).toMatchObject({ kind: 'claimed', epoch: 2 });
    gate.resolve();
    expect(await turn.result).toMatchObject({ status: 'parked' });
    const events = [];
    for await (const event of turn) events.push(event);
    expect(events).toContainEqual(expect.objectContaining({ type: 'late-result' }));
    expect(events.some(({ type }) => type === 'tool-end')).toBe(false);
    const late = (await other.record(turn.id)).filter(({ kind }) => kind === 'late-result');
    expect(JSON.stringify(late)).toContain('sent after all');
    expect((await other.messages(turn.id)).some(({ role }) => role === 'tool')).toBe(false);
    expect(world.server.requests).toHaveLength(1);
    const end = { move: 'turn.end', status: 'failed', activeMs: 0, reply: false } as const;
    await other.commit({ turnId: turn.id, epoch: 2 }, { at: 1, turn: end }, true);
    await other.close();
  });
});

describe('turns of one session', () => {
  it('are taken in once by the platform’s name of the message', async () => {
    const world = await worldOf(said);
    const runtime = await world.start();
    const origin = { kind: 'im', adapter: 'chat', endpoint: 'bot', messageId: 'm1', scope: 'private' } as const;
    const [one, other] = [runtime.run({ ...request, origin }), runtime.run({ ...request, origin })];
    expect(await one.result).toMatchObject({ status: 'done' });
    expect(await other.result).toMatchObject({ status: 'duplicate', turnId: one.id });
    expect(await runtime.run({ ...request, origin }).result).toMatchObject({ status: 'duplicate', turnId: one.id });
    expect(world.server.requests).toHaveLength(1);
  });

  it('run one at a time over all processes, in order', async () => {
    const world = await worldOf(
      ...['a', 'b', 'c', 'd'].map((name) => ({ when: { lastUser: name }, text: name.toUpperCase(), delayMs: 20 })),
    );
    const [one, other] = [await world.start(), await world.start()];
    const texts = ['a', 'b', 'c', 'd'];
    const turns = [];
    for (const [index, text] of texts.entries()) {
      const turn = (index % 2 === 0 ? one : other).run({ ...request, text });
      await until('it is taken in', async () => (await one.turn(turn.id)) !== undefined);
      turns.push(turn);
    }
    for (const turn of turns) expect(await turn.result).toMatchObject({ status: 'done' });
    expect(world.server.requests.map(({ messages }) => messages.map(({ text }) => text).join(''))).toEqual([
      'a',
      'aAb',
      'aAbBc',
      'aAbBcCd',
    ]);
  });

  it.each(['fifo', 'supersede'] as const)('overlap as %s says', async (overlap) => {
    const world = await worldOf(
      { when: { lastUser: 'one' }, hang: true },
      { when: { lastUser: 'two' }, text: 'Two.' },
      { when: { lastUser: 'three' }, text: 'Three.' },
    );
    const runtime = await world.start({ settings: { session: { overlap } } });
    const one = runtime.run({ ...request, text: 'one' });
    await world.server.waitForRequests(1);
    const two = runtime.run({ ...request, text: 'two' });
    await until('it is taken in', async () => (await runtime.turn(two.id)) !== undefined);
    if (overlap === 'fifo') {
      expect(await runtime.turn(two.id)).toMatchObject({ status: 'queued' });
      expect(await runtime.cancel({ turn: one.id })).toEqual({ turns: [one.id] });
    }
    expect(await one.result).toMatchObject({ status: 'cancelled' });
    expect(await two.result).toMatchObject({ status: 'done', text: 'Two.' });
  });

  it('are cancelled from another process, running and queued', async () => {
    const world = await worldOf({ hang: true });
    const [one, other] = [await world.start(), await world.start({ takeUp: false })];
    const running = one.run({ ...request, text: 'one' });
    await world.server.waitForRequests(1);
    const queued = one.run({ ...request, text: 'two' });
    await until('it is taken in', async () => (await one.turn(queued.id)) !== undefined);
    expect((await other.cancel({ session: 's' })).turns).toEqual([running.id, queued.id]);
    expect(await running.result).toMatchObject({ status: 'cancelled' });
    expect(await queued.result).toMatchObject({ status: 'cancelled' });
  });
});

describe('closing', () => {
  it('parks what waits, leaves what is queued, cuts off what runs too long; the next process finishes all', async () => {
    const world = await worldOf(
      { when: { lastUser: 'Send it.' }, ...send },
      { when: { lastUser: 'slow' }, hang: true },
      { when: { lastUser: 'slow' }, text: 'Slowly.' },
      { when: { lastUser: 'next' }, text: 'Next.' },
      { when: { lastRole: 'tool' }, ...said },
    );
    const tools = { send: world.tool('send', { requiresApproval: 'always' }) };
    const first = await world.start({ tools });
    const waiting = first.run(request);
    const ask = await openedOne(waiting);
    const slow = first.run({ ...request, session: 't', text: 'slow' });
    const next = first.run({ ...request, session: 't', text: 'next' });
    await world.server.waitForRequests(2);
    await first.close({ graceMs: 10 });
    for (const turn of [waiting, slow, next]) expect(await turn.result).toMatchObject({ status: 'parked' });
    expect(() => first.run(request)).toThrow(/closed/i);
    const second = await world.start({ tools });
    await second.answer(ask.code, { approve: true });
    const ends = await Promise.all([waiting, slow, next].map(({ id }) => second.ended(id)));
    expect(ends.map(({ text }) => text)).toEqual(['All done.', 'Slowly.', 'Next.']);
    expect(world.effects).toHaveLength(1);
  });

  it('a direct call that waits says so, and its outcome is there later', async () => {
    const world = await worldOf();
    const tools = { send: world.tool('send', { requiresApproval: 'always' }) };
    const first = await world.start({ tools });
    const asked = Promise.withResolvers<{ readonly code: string; readonly turnId: string }>();
    const outcome = first.call('send', { to: 'bob' }, { attended: true, onAsk: asked.resolve });
    const { code, turnId } = await asked.promise;
    const closing = first.close();
    await expect(outcome).rejects.toMatchObject({ code: 'PARKED' });
    await closing;
    const second = await world.start({ tools });
    await second.answer(code, { approve: true });
    await second.ended(turnId);
    expect((await second.calls(turnId))[0]).toMatchObject({ state: 'ended', outcome: { status: 'success' } });
    expect(world.effects).toHaveLength(1);
  });
});
