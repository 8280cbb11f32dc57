import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Answer, ApprovalAsk } from '../contracts/ask.ts';
import type { CallMove, NewTurn, Store, TurnChange } from '../contracts/store.ts';
import { createMemoryStore } from './create-memory-store.ts';
import { createSqliteStore } from './create-sqlite-store.ts';
import { approvalAsk, BY, callId, decided, done, questionAsk } from './fixtures/durable-steps.ts';
import { plainTurn, userMessageOf } from './fixtures/plain-turns.ts';

const TURNS = ['a', 'b', 'c'] as const;
const SESSIONS = ['s', 'r'] as const;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'baigong-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** One of a few asks of a turn: two of one tool, one of another, all dangerous in the same way, and a question. */
function askOf(turnId: string, index: number, sessionKey: string) {
  const id = `${(TURNS.indexOf(turnId as 'a') * 4 + index).toString(16).repeat(64)}-1`;
  if (index === 3) return { ...questionAsk(turnId), id, sessionKey, answerBy: 40 };
  const tool = index === 2 ? 'gift' : 'pay';
  const base = approvalAsk(turnId, index);
  const card: ApprovalAsk['card'] = { ...base.card, tool, dangerous: index !== 1, category: 'funds' };
  return { ...base, id, sessionKey, toolKey: tool, card, answerBy: 40, useForMs: 15 };
}

// Mostly the same few, so that what belongs together meets.
const turnId = fc.constantFrom('a', 'a', 'a', 'b', 'c');
const index = fc.constantFrom(0, 0, 0, 1, 2, 3);
const sessionKey = fc.constantFrom(...SESSIONS);
/** How far from the right one. */
const epoch = fc.constantFrom(0, 0, 0, 0, 0, 1, -1);
const message = { adapter: 'x', endpoint: 'e', messageId: 'm' };

type Step = 'propose' | 'await' | 'ready' | 'start' | 'use' | 'retry' | 'end' | 'raise' | 'clear';
const asked: readonly Step[] = ['propose', 'await'];
const goes: readonly Step[] = ['ready', 'use'];
const single: readonly Step[] = ['propose', 'await', 'ready', 'start', 'use', 'retry', 'end', 'raise', 'clear'];
const plain: readonly Step[] = ['propose', 'ready', 'start'];
const steps: fc.Arbitrary<readonly Step[]> = fc.oneof(
  fc.constantFrom<readonly Step[]>([], [], asked, goes, goes, plain),
  fc.subarray([...single], { maxLength: 1 }),
  fc.array(fc.constantFrom(...single), { maxLength: 3 }),
);
const turnMove = fc.oneof(
  { weight: 20, arbitrary: fc.constant('none') },
  { weight: 3, arbitrary: fc.constantFrom('park', 'end', 'fail') },
);

const taking = fc.record({ op: fc.constant('take'), turnId, sessionKey, inLane: fc.boolean(), named: fc.boolean() });
const claiming = fc.record({ op: fc.constant('claim'), turnId, runs: fc.boolean() });
const committing = fc.record({
  op: fc.constant('commit'),
  turnId,
  epoch,
  says: fc.boolean(),
  index,
  opens: fc.constantFrom(true, true, false),
  withdraws: fc.constantFrom(false, false, false, true),
  steps,
  turn: turnMove,
  durable: fc.boolean(),
});
const answering = fc.record({
  op: fc.constant('answer'),
  turnId,
  index,
  kind: fc.constantFrom('approved', 'approved', 'denied', 'answered', 'expired', 'withdrawn'),
});
/** The usual way of a call: else few would get far. */
const calling = fc.record({
  op: fc.constant('call'),
  turnId,
  index: fc.nat(2),
  denied: fc.constantFrom(false, false, true),
});
const cancelling = fc.record({ op: fc.constant('cancel'), turnId });
const replying = fc.record({
  op: fc.constant('reply'),
  turnId,
  settle: fc.constantFrom('delivered', 'pending', 'none'),
});
const resetting = fc.record({ op: fc.constant('reset'), sessionKey });
const erasing = fc.record({ op: fc.constant('erase'), ago: fc.nat(20) });
const valuing = fc.record({ op: fc.constant('value'), sessionKey, value: fc.option(fc.nat(9)) });
const operation = fc.oneof(
  { weight: 2, arbitrary: taking },
  { weight: 2, arbitrary: claiming },
  { weight: 9, arbitrary: committing },
  { weight: 5, arbitrary: answering },
  { weight: 3, arbitrary: calling },
  { weight: 1, arbitrary: cancelling },
  { weight: 1, arbitrary: replying },
  { weight: 1, arbitrary: resetting },
  { weight: 1, arbitrary: erasing },
  { weight: 1, arbitrary: valuing },
);
type Operation = typeof operation extends fc.Arbitrary<infer One> ? One : never;

function moveOf(kind: Step, turn: string, { toolKey, ...ask }: ReturnType<typeof askOf>): CallMove {
  const id = callId(turn, Number(ask.callId.split('.').at(-1)));
  const all = { ...decided(turn), id, toolKey };
  switch (kind) {
    case 'propose':
      return { move: 'call.propose', id };
    case 'await':
      return { move: 'call.await', askId: ask.id, ...all };
    case 'ready':
      return { move: 'call.ready', ...all };
    case 'start':
      return { move: 'call.start', id, readOnly: true };
    case 'use': {
      const grant = { sessionKey: ask.sessionKey, principalId: 'me', toolKey, definitionDigest: 'sha256:d' };
      return { move: 'call.start', id, readOnly: false, use: { askId: ask.id }, grant };
    }
    case 'retry':
      return { move: 'call.retry', id };
    case 'end':
      return { move: 'call.end', id, outcome: done, keep: false };
    default: {
      const doubt = { kind: kind === 'raise' ? 'raise' : 'clear', toolKey, argumentsDigest: 'd' } as const;
      return { move: 'call.end', id, outcome: done, keep: true, doubt };
    }
  }
}

/** Does one operation, and tells what came of it. */
async function perform(store: Store, one: Operation, at: number, sessions: Map<string, string>): Promise<unknown> {
  const keyOf = (turn: string) => sessions.get(turn) ?? 's';
  switch (one.op) {
    case 'take': {
      const { turnId: id, inLane, named } = one;
      const turn: NewTurn = { ...plainTurn(id, one.sessionKey, at), inLane, ...(named ? { message } : {}) };
      const taken = await store.takeIn(turn, [userMessageOf(id, 'hello')], [{ kind: 'k', at, body: { at } }]);
      if (taken.kind !== 'seen') sessions.set(id, one.sessionKey);
      return taken;
    }
    case 'claim':
      return store.claim(one.turnId, at, () => one.runs);
    case 'commit': {
      const { turnId: id, says, opens, withdraws, turn } = one;
      const now = (await store.turn(id))?.epoch ?? 1;
      const ask = askOf(id, one.index, keyOf(id));
      const change: TurnChange = {
        at,
        messages: says ? [userMessageOf(id, `at ${at}`)] : [],
        ...(opens ? { openAsks: [{ ...ask, openedAt: at }] } : {}),
        ...(withdraws ? { withdrawAsks: [{ id: ask.id, reason: 'changed' }] } : {}),
        calls: one.steps.map((kind) => moveOf(kind, id, ask)),
        ...(turn === 'park' ? { turn: { move: 'turn.park', activeMs: at } } : {}),
        ...(turn === 'end' ? { turn: { move: 'turn.end', status: 'done', activeMs: at, reply: true } } : {}),
        ...(turn === 'fail' ? { turn: { move: 'turn.end', status: 'failed', activeMs: 1, reply: false } } : {}),
      };
      return store.commit({ turnId: id, epoch: now + one.epoch }, change, one.durable);
    }
    case 'answer': {
      const { kind } = one;
      const answers: Record<string, Answer> = {
        approved: { kind: 'approved', by: BY, at },
        denied: { kind: 'denied', by: BY, at, reason: 'no' },
        answered: { kind: 'answered', by: BY, at, value: 'red' },
        expired: { kind: 'expired', at },
        withdrawn: { kind: 'withdrawn', at, reason: 'granted' },
      };
      const answer = answers[kind];
      return answer && store.answerAsk(askOf(one.turnId, one.index, 's').id, answer);
    }
    case 'call': {
      const ask = askOf(one.turnId, one.index, keyOf(one.turnId));
      const lease = { turnId: one.turnId, epoch: (await store.turn(one.turnId))?.epoch ?? 1 };
      const moves = (kinds: readonly Step[]) => kinds.map((kind) => moveOf(kind, one.turnId, ask));
      await store.commit(lease, { at, openAsks: [{ ...ask, openedAt: at }], calls: moves(asked) }, false);
      const answered = await store.answerAsk(ask.id, { kind: one.denied ? 'denied' : 'approved', by: BY, at });
      return [answered, await store.commit(lease, { at, calls: moves(goes) }, true)];
    }
    case 'cancel':
      return store.requestCancel(one.turnId, { at, by: 'x', reason: 'asked' });
    case 'reply': {
      const claimed = await store.claimReply(one.turnId, false);
      if (one.settle !== 'none') await store.settleReply(one.turnId, one.settle);
      return claimed;
    }
    case 'reset':
      return store.resetSession(one.sessionKey, at);
    case 'erase':
      return store.erase(at - one.ago);
    case 'value':
      return one.value === null
        ? store.deleteValue(one.sessionKey, 'k', at)
        : store.setValue(one.sessionKey, 'k', one.value, at);
  }
}

const withoutHolder = (turns: readonly { readonly holder: string }[]) =>
  turns.map(({ holder: _holder, ...turn }) => turn);

async function everything(store: Store, at: number): Promise<unknown> {
  const asks = await store.asks({});
  return {
    turns: withoutHolder(await store.turns(undefined, 99)),
    open: withoutHolder(await store.openTurns({})),
    openOfSession: withoutHolder(await store.openTurns({ sessionKey: 's', project: 'p' })),
    cancelled: withoutHolder(await store.openTurns({ cancelled: true })),
    cancelledOfSession: withoutHolder(await store.openTurns({ sessionKey: 's', project: 'p', cancelled: true })),
    resumable: withoutHolder(await store.resumable('p', at, () => true)),
    abandoned: withoutHolder(await store.resumable('p', at, () => false)),
    asks,
    openAsks: await store.asks({ states: ['open'] }),
    asksOfSession: await store.asks({ sessionKey: 'r', states: ['approved', 'withdrawn'] }),
    overdue: (await store.overdueAsks(at)).map(({ id }) => id).sort(),
    byCode: await Promise.all(asks.map(async ({ code }) => (await store.ask(code.toLowerCase()))?.id)),
    perTurn: await Promise.all(
      TURNS.map(async (id) => [
        await store.calls(id),
        await store.messages(id),
        await store.record(id),
        await store.asks({ turnId: id }),
        await store.reply(id),
      ]),
    ),
    replies: await store.replies('p'),
    sessions: await store.sessions(9),
    perSession: await Promise.all(
      SESSIONS.map(async (key) => [
        await store.history(key, 9, Infinity),
        await store.getValue(key, 'k'),
        await store.isDoubted(key, 'pay', 'd', at),
        await store.isGranted({
          sessionKey: key,
          principalId: 'me',
          toolKey: 'pay',
          definitionDigest: 'sha256:d',
        }),
      ]),
    ),
  };
}

test('both stores say the same of whatever is done to them', async () => {
  let used = 0;
  let round = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 10, maxLength: 40, size: 'max' }), async (operations) => {
      round += 1;
      const alive = { isAlive: () => true };
      const memory = createMemoryStore(alive);
      const file = join(folder, `${round}.db`);
      const sqlite = await createSqliteStore({ file, durability: 'lazy', ...alive });
      try {
        for (const store of [memory, sqlite]) await store.takeIn({ ...plainTurn('a', 's', 0), inLane: true }, [], []);
        const known = [new Map<string, string>(), new Map<string, string>()] as const;
        for (const [step, one] of operations.entries()) {
          const outcomes: unknown[] = [];
          for (const [which, store] of [memory, sqlite].entries()) {
            const sessions = known[which === 0 ? 0 : 1];
            outcomes.push(
              await perform(store, one, step + 1, sessions).catch((error: { readonly code?: string }) => {
                if (error.code === undefined) throw error;
                return `refused: ${error.code}`;
              }),
            );
          }
          expect(outcomes[1], `step ${step}: ${JSON.stringify(one)}`).toEqual(outcomes[0]);
        }
        const last = operations.length + 1;
        const seen = await everything(memory, last);
        expect(await everything(sqlite, last)).toEqual(seen);
        used += (await memory.asks({})).filter(({ usedAt }) => usedAt !== undefined).length;
      } finally {
        await sqlite.close();
        await memory.close();
      }
    }),
    { numRuns: 100 },
  );
  // Else the sequences would not get anywhere.
  expect(used).toBeGreaterThan(10);
});
