import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../contracts/store.ts';
import { HEARTBEAT_MS, LEASE_MS, STALLED_MS } from '../contracts/turn-lease.ts';
import { type AskState, type Failpoint, type TransitionName, transitions } from '../contracts/turn-machine.ts';
import { askCode } from './ask-code.ts';
import { createFailpoint } from './create-failpoint.ts';
import { createSqliteStore } from './create-sqlite-store.ts';
import {
  approvalAsk,
  BY,
  callId,
  decided,
  done,
  end,
  goTo,
  laneTurn,
  questionAsk,
  visible,
  ways,
} from './fixtures/durable-steps.ts';
import { plainTurn, userMessageOf } from './fixtures/plain-turns.ts';
import { type StoreOptions, storeKinds } from './fixtures/store-kinds.ts';

const names = Object.keys(transitions) as readonly TransitionName[];
const never = () => false;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'baigong-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe.each(storeKinds)('the $name store', ({ open: openStore }) => {
  const opened: Store[] = [];
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
  });

  async function open(options: StoreOptions = {}): Promise<Store> {
    const store = await openStore(folder, options);
    opened.push(store);
    return store;
  }

  const lease = { turnId: 't', epoch: 1 };

  test.each(names)('tells both failpoints of %s, in that order', async (name) => {
    const seen: Failpoint[] = [];
    const store = await open({ failpoint: (point) => void seen.push(point) });
    await goTo(store, name);
    expect(seen.filter((point) => point.startsWith(`${name}:`))).toEqual([`${name}:before`, `${name}:after`]);
  });

  test.each(names)('undoes %s when it is cut off before the commit', async (name) => {
    let isCut = false;
    const failpoint = (point: Failpoint) => {
      if (isCut && point === `${name}:before`) throw new Error('cut off');
    };
    const store = await open({ failpoint });
    for (const before of ways[name].before ?? []) await ways[before].make(store);
    if (name === 'ask.answer') await store.commit(lease, { at: 1, openAsks: [questionAsk('t')] }, true);
    const was = await visible(store);
    isCut = true;
    await expect(ways[name].make(store)).rejects.toThrow('cut off');
    expect(await visible(store)).toEqual(was);
    isCut = false;
    await ways[name].make(store);
    expect(await visible(store)).not.toEqual(was);
  });

  const moves = {
    'call.await': { move: 'call.await', askId: 'x', ...decided('t') },
    'call.ready': { move: 'call.ready', ...decided('t') },
    'call.start': { move: 'call.start', id: callId('t'), readOnly: false },
    'call.retry': { move: 'call.retry', id: callId('t') },
    'call.end': { move: 'call.end', id: callId('t'), outcome: done, keep: false },
    'call.propose': { move: 'call.propose', id: callId('t') },
  } as const;
  const wayTo = {
    null: 'turn.begin',
    proposed: 'call.propose',
    awaiting: 'call.await',
    ready: 'call.ready',
    started: 'call.start',
    ended: 'call.end',
  } as const;
  const pairs = Object.keys(wayTo).flatMap((from) => Object.keys(moves).map((name) => [name, from] as const));

  test.each(pairs)('takes %s of a call that is %s as the table says', async (name, from) => {
    const store = await open();
    await goTo(store, wayTo[from as keyof typeof wayTo]);
    const was = await store.calls('t');
    const attempt = store.commit(lease, { at: 3, calls: [moves[name as keyof typeof moves]] }, false);
    const { from: allowed, to } = transitions[name as keyof typeof moves];
    if ((allowed as readonly (string | null)[]).includes(from === 'null' ? null : from)) {
      expect(await attempt).toBe('committed');
      expect((await store.calls('t'))[0]?.state).toBe(to);
    } else {
      await expect(attempt).rejects.toMatchObject({ code: 'FAILED' });
      expect(await store.calls('t')).toEqual(was);
    }
  });

  test.each([
    ['open', 'approved', 'counted', 'approved'],
    ['open', 'denied', 'counted', 'denied'],
    ['open', 'expired', 'counted', 'expired'],
    ['open', 'answered', 'late', 'open'],
    ['approved', 'approved', 'late', 'approved'],
    ['approved', 'denied', 'counted', 'denied'],
    ['approved', 'expired', 'late', 'approved'],
    ['denied', 'approved', 'late', 'denied'],
    ['denied', 'denied', 'late', 'denied'],
    ['expired', 'approved', 'late', 'expired'],
    ['withdrawn', 'approved', 'late', 'withdrawn'],
    ['used', 'denied', 'stopping', 'approved'],
    ['over', 'denied', 'late', 'approved'],
  ] as const)('an approval that is %s and is then %s: %s, %s', async (state, kind, result, then) => {
    const store = await open();
    await goTo(store, 'call.await');
    const { id } = approvalAsk('t');
    if (state === 'withdrawn') await store.requestCancel('t', { at: 2, by: '', reason: 'asked' });
    if (state === 'denied') await store.answerAsk(id, { kind: 'denied', by: BY, at: 2 });
    if (state === 'expired') await store.answerAsk(id, { kind: 'expired', at: 2 });
    if (['approved', 'used', 'over'].includes(state)) await store.answerAsk(id, { kind: 'approved', by: BY, at: 2 });
    if (state === 'used' || state === 'over') {
      const use = { askId: id, now: 3 };
      const start = { move: 'call.start', id: callId('t'), readOnly: false, use } as const;
      await store.commit(lease, { at: 3, calls: [moves['call.ready'], start] }, true);
    }
    if (state === 'over') await store.commit(lease, { at: 3, calls: [moves['call.end']] }, true);
    const answers = {
      approved: { kind, by: BY, at: 9 },
      denied: { kind, by: BY, at: 9 },
      answered: { kind, by: BY, at: 9, value: 'x' },
      expired: { kind, at: 9 },
    } as const;
    const answered = await store.answerAsk(id, answers[kind] as never);
    expect(answered).toMatchObject({ kind: result, ask: { state: then } });
    expect((await store.ask(id))?.state).toBe(then);
    expect((await store.ask(id))?.stopAt).toBe(result === 'stopping' ? 9 : undefined);
    // What somebody said too late is kept; it changes nothing.
    const isKept = result === 'late' && state !== 'open' && kind !== 'expired';
    expect((await store.ask(id))?.late).toEqual(isKept ? [answers[kind]] : undefined);
  });

  test.each([
    ['used before', { before: 'use' }],
    ['too old', { now: 103 }],
    ['open', { before: 'nothing' }],
    ['denied', { before: 'deny' }],
    ['of another call', { call: 1 }],
  ] as const)(
    'does not start a call with an approval that is %s',
    async (_what, {
      before,
      now = 3,
      call = 0,
    }: {
      before?: string;
      now?: number;
      call?: number;
    }) => {
      const store = await open();
      await goTo(store, 'call.await');
      const { id } = approvalAsk('t');
      if (before !== 'nothing') await store.answerAsk(id, { kind: 'approved', by: BY, at: 2 });
      if (before === 'deny') await store.answerAsk(id, { kind: 'denied', by: BY, at: 2 });
      const ready = (index: number) => ({ move: 'call.ready', ...decided('t', index) }) as const;
      const start = (index: number) =>
        ({ move: 'call.start', id: callId('t', index), readOnly: false, use: { askId: id } }) as const;
      if (before === 'use') {
        expect(await store.commit(lease, { at: 102, calls: [ready(0), start(0)] }, true)).toBe('committed');
        await store.commit(lease, { at: 102, calls: [{ move: 'call.propose', id: callId('t', 1) }] }, true);
        call = 1;
      } else if (call === 1)
        await store.commit(lease, { at: 102, calls: [{ move: 'call.propose', id: callId('t', 1) }] }, true);
      const was = await visible(store);
      const message = userMessageOf('t', 'along');
      const change = { at: now, messages: [message], calls: [ready(call), start(call)] };
      expect(await store.commit(lease, change, true)).toBe('approval-gone');
      expect(await visible(store)).toEqual(was);
      expect(await store.messages('t')).toEqual([]);
    },
  );

  test('closes with a denial what is asked for the same tool or category in the turn, and nothing else', async () => {
    const store = await open();
    await store.takeIn(laneTurn('t'), [], []);
    await store.takeIn(plainTurn('other'), [], []);
    const card = (tool: string, dangerous: boolean, category?: 'funds') => ({
      toolKey: tool,
      card: { ...approvalAsk('t').card, tool, dangerous, ...(category === undefined ? {} : { category }) },
    });
    const asks = [
      approvalAsk('t', 0, card('pay', true, 'funds')),
      approvalAsk('t', 1, card('pay', true, 'funds')),
      approvalAsk('t', 2, card('gift', true, 'funds')),
      approvalAsk('t', 3, card('kick', true)),
      approvalAsk('t', 4, card('post', false)),
    ];
    await store.commit(lease, { at: 1, openAsks: [...asks, questionAsk('t')] }, true);
    const elsewhere = approvalAsk('other', 6, card('pay', true, 'funds'));
    await store.commit({ turnId: 'other', epoch: 1 }, { at: 1, openAsks: [elsewhere] }, true);
    await store.answerAsk(asks[0]?.id ?? '', { kind: 'denied', by: BY, at: 9 });
    const states = async () => Promise.all([...asks, elsewhere].map(async ({ id }) => (await store.ask(id))?.state));
    expect(await states()).toEqual(['denied', 'withdrawn', 'withdrawn', 'open', 'open', 'open']);
    expect((await store.ask(questionAsk('t').id))?.state).toBe('open');
  });

  test('keeps out whoever lost the lease', async () => {
    const store = await open();
    await goTo(store, 'turn.take-over');
    const message = userMessageOf('t', 'late');
    for (const change of [{ at: 9, messages: [message] }, end, { at: 9, openAsks: [approvalAsk('t')] }]) {
      await expect(store.commit(lease, change, true)).rejects.toMatchObject({ code: 'LEASE_LOST' });
    }
    expect(await store.messages('t')).toEqual([]);
    expect(await store.asks({})).toEqual([]);
    await store.commit({ turnId: 't', epoch: 2 }, end, true);
    expect(await store.turn('t')).toMatchObject({ status: 'done', epoch: 2 });
    expect(await store.claim('t', 9, never)).toEqual({ kind: 'gone' });
  });

  test('adds what came too late to the record, whoever holds the turn', async () => {
    const store = await open();
    await goTo(store, 'turn.end');
    const entry = { kind: 'late-result', at: 9, body: { callId: callId('t') } };
    await store.note('t', [entry]);
    expect(await store.record('t')).toEqual([entry]);
    await expect(store.note('nothing', [entry])).rejects.toMatchObject({ code: 'UNKNOWN_TURN' });
  });

  test('gives the lane of a session to one turn at a time, in order', async () => {
    const store = await open();
    const running = () => true;
    expect(await store.takeIn(laneTurn('a'), [], [])).toEqual({ kind: 'running', epoch: 1, alone: true });
    expect(await store.takeIn(laneTurn('b'), [], [])).toEqual({ kind: 'queued' });
    expect(await store.takeIn(laneTurn('c'), [], [])).toEqual({ kind: 'queued' });
    expect(await store.takeIn(laneTurn('d', 'another'), [], [])).toEqual({ kind: 'running', epoch: 1, alone: true });
    expect(await store.takeIn(plainTurn('e', 'lane'), [], [])).toEqual({ kind: 'running', epoch: 1, alone: false });
    expect(await store.claim('b', 2, running)).toEqual({ kind: 'busy' });
    await store.commit({ turnId: 'a', epoch: 1 }, { at: 3, turn: { move: 'turn.park', activeMs: 1 } }, false);
    expect(await store.claim('c', 4, running)).toEqual({ kind: 'busy' });
    expect(await store.claim('b', 4, running)).toEqual({ kind: 'claimed', epoch: 1, from: 'queued' });
    expect(await store.claim('a', 5, running)).toEqual({ kind: 'busy' });
    await store.requestCancel('c', { at: 6, by: '', reason: 'asked' });
    expect(await store.claim('c', 6, running)).toEqual({ kind: 'claimed', epoch: 1, from: 'queued' });
    await store.commit({ turnId: 'c', epoch: 1 }, end, false);
    await store.commit({ turnId: 'b', epoch: 1 }, end, false);
    expect(await store.claim('a', 7, running)).toEqual({ kind: 'claimed', epoch: 2, from: 'parked' });
  });

  test('does not take up what waits for an answer, but what is to be cancelled', async () => {
    const store = await open();
    await goTo(store, 'call.await');
    await store.commit(lease, { at: 3, turn: { move: 'turn.park', activeMs: 1 } }, false);
    const resumable = async () => (await store.resumable('p', 4, never)).map(({ id }) => id);
    expect(await resumable()).toEqual([]);
    expect(await store.claim('t', 4, never)).toEqual({ kind: 'busy' });
    await store.requestCancel('t', { at: 5, by: 'ann', reason: 'asked' });
    await store.requestCancel('t', { at: 6, by: 'bob', reason: 'superseded' });
    expect(await store.turn('t')).toMatchObject({ cancel: { at: 5, by: 'ann', reason: 'asked' } });
    expect((await store.ask(approvalAsk('t').id))?.answer).toEqual({ kind: 'withdrawn', at: 5, reason: 'ended' });
    expect(await resumable()).toEqual(['t']);
    expect(await store.resumable('another project', 4, never)).toEqual([]);
  });

  test.each([
    ['1:2:x', true, STALLED_MS, false],
    ['1:2:x', true, STALLED_MS + 1, true],
    ['1:2:x', false, 0, true],
    ['machine-b', true, LEASE_MS, false],
    ['machine-b', true, LEASE_MS + 1, true],
    // Another boot, or another container: an id that is not found here says nothing.
    ['1:2:x:0123456789ab', false, LEASE_MS, false],
    ['1:2:x:0123456789ab', true, LEASE_MS + 1, true],
  ] as const)(
    'a turn of %s (alive: %s) not heard of for %i ms is taken over: %s',
    async (holder, isAlive, silence, is) => {
      let own = holder as string;
      const store = await open({ isAlive: () => isAlive });
      // The store of another process, as far as rows tell.
      Object.defineProperty(store, 'holder', { get: () => own });
      await store.takeIn(laneTurn('t', 'lane', 10), [], []);
      await store.beat(10 + HEARTBEAT_MS);
      own = '9:9:mine';
      const at = 10 + HEARTBEAT_MS + silence;
      expect((await store.resumable('p', at, () => true)).map(({ id }) => id)).toEqual(is ? ['t'] : []);
      expect((await store.claim('t', at, () => true)).kind).toBe(is ? 'claimed' : 'gone');
    },
  );

  test('takes over at once what a process left that lives on', async () => {
    let own = '1:2:x';
    const store = await open({ isAlive: () => true });
    Object.defineProperty(store, 'holder', { get: () => own });
    await store.takeIn(laneTurn('t', 'lane', Date.now()), [], []);
    await store.leave();
    own = '9:9:mine';
    expect(await store.resumable('p', Date.now(), () => true)).toHaveLength(1);
  });

  test('takes a message of a platform in once', async () => {
    const store = await open();
    const message = { adapter: 'a', endpoint: 'e', messageId: 'm' };
    await store.takeIn({ ...plainTurn('one'), message }, [], []);
    expect(await store.takeIn({ ...plainTurn('two'), message }, [], [])).toEqual({ kind: 'seen', turnId: 'one' });
    expect(await store.turn('two')).toBeUndefined();
    const other = { ...message, endpoint: 'f' };
    expect((await store.takeIn({ ...plainTurn('three'), message: other }, [], [])).kind).toBe('running');
  });

  test('hands a reply to one sender, and says when its fate is unknown', async () => {
    let own = '1:2:x';
    let alive = true;
    const store = await open({ isAlive: () => alive });
    Object.defineProperty(store, 'holder', { get: () => own });
    await goTo(store, 'turn.end');
    expect(await store.replies('p')).toMatchObject([{ turnId: 't', state: 'pending', status: 'done' }]);
    expect(await store.claimReply('t', false)).toBe(true);
    expect(await store.claimReply('t', false)).toBe(false);
    await store.settleReply('t', 'pending');
    expect(await store.claimReply('t', false)).toBe(true);
    own = '9:9:mine';
    alive = false;
    expect(await store.replies('p')).toMatchObject([{ turnId: 't', state: 'unknown' }]);
    expect(await store.claimReply('t', false)).toBe(false);
    expect(await store.claimReply('t', true)).toBe(true);
    await store.settleReply('t', 'delivered');
    expect(await store.replies('p')).toEqual([]);
    expect(await store.reply('t')).toMatchObject({ state: 'delivered' });
  });

  test('remembers grants and doubts of a session until they are cleared or it is reset', async () => {
    const store = await open();
    await goTo(store, 'call.await');
    const grant = { sessionKey: 'lane', principalId: 'me', toolKey: 'send', definitionDigest: 'sha256:d' };
    await store.answerAsk(approvalAsk('t').id, { kind: 'approved', by: BY, at: 2 });
    const use = { askId: approvalAsk('t').id, now: 3 };
    const start = { move: 'call.start', id: callId('t'), readOnly: false, use, grant } as const;
    const doubt = { kind: 'raise', toolKey: 'send', argumentsDigest: 'a' } as const;
    const over = { ...moves['call.end'], doubt };
    await store.commit(lease, { at: 3, calls: [moves['call.ready'], start, over] }, true);
    expect(await store.isGranted(grant)).toBe(true);
    expect(await store.isGranted({ ...grant, definitionDigest: 'sha256:e' })).toBe(false);
    expect(await store.isGranted({ ...grant, principalId: 'you' })).toBe(false);
    expect(await store.isDoubted('lane', 'send', 'a', 5)).toBe(true);
    expect(await store.isDoubted('lane', 'send', 'b', 5)).toBe(false);
    await store.commit(
      lease,
      {
        at: 4,
        calls: [
          { move: 'call.propose', id: callId('t', 1) },
          { ...over, id: callId('t', 1), doubt: { ...doubt, kind: 'clear' } },
        ],
      },
      true,
    );
    expect(await store.isDoubted('lane', 'send', 'a', 5)).toBe(false);
    await store.resetSession('lane', 9);
    expect(await store.isGranted(grant)).toBe(false);
  });

  test.each([
    ['changes something', false, true],
    ['only reads', true, false],
  ] as const)(
    'doubts what a lost process had started that %s, from its end on until it is settled',
    async (_what, readOnly, doubted) => {
      let [own, alive] = ['1:2:x', true];
      const store = await open({ isAlive: () => alive });
      Object.defineProperty(store, 'holder', { get: () => own });
      await goTo(store, 'call.ready');
      await store.commit(lease, { at: 3, calls: [{ move: 'call.start', id: callId('t'), readOnly }] }, true);
      const { toolKey, argumentsDigest } = decided('t');
      const isDoubted = () => store.isDoubted('lane', toolKey, argumentsDigest, 4);
      expect(await isDoubted()).toBe(false);
      own = '9:9:y';
      expect(await isDoubted()).toBe(false);
      alive = false;
      expect(await isDoubted()).toBe(doubted);
      expect(await store.isDoubted('lane', toolKey, 'hmac-sha256:other', 4)).toBe(false);
      expect(await store.isDoubted('another', toolKey, argumentsDigest, 4)).toBe(false);
      expect(await store.claim('t', 5, never)).toMatchObject({ from: 'running' });
      alive = true;
      expect(await isDoubted()).toBe(doubted);
    },
  );

  test('erases what only turns under way need, of those that ended long ago', async () => {
    const store = await open();
    await goTo(store, 'call.await');
    await store.commit(lease, end, true);
    await store.takeIn(laneTurn('young', 'lane', 9), [userMessageOf('young', 'stays')], []);
    await store.erase(6);
    expect(await store.calls('t')).toHaveLength(1);
    await store.claimReply('t', false);
    await store.settleReply('t', 'delivered');
    await store.erase(7);
    expect([await store.calls('t'), await store.asks({}), await store.replies('p')]).toEqual([[], [], []]);
    expect(await store.turn('t')).toMatchObject({ status: 'done' });
    expect(await store.turn('young')).toMatchObject({ status: 'running' });
    expect(await store.messages('young')).toHaveLength(1);
  });

  test('finds an ask by id and by code, in any case, and by what is asked for', async () => {
    const store = await open();
    await goTo(store, 'ask.open');
    const [ask] = await store.asks({ states: ['open'] });
    expect(ask?.code).toMatch(/^[2-9A-HJKMNP-Z]{6}$/);
    expect(await store.ask(` ${ask?.code.toLowerCase()} `)).toEqual(ask);
    expect(await store.ask(ask?.id ?? '')).toEqual(ask);
    expect(await store.ask('__proto__')).toBeUndefined();
    expect(await store.asks({ turnId: 'other' })).toEqual([]);
    expect(await store.asks({ sessionKey: 'lane', states: ['approved'] })).toEqual([]);
    expect(await store.overdueAsks(999)).toEqual([]);
    expect(await store.overdueAsks(1_000)).toEqual([ask]);
  });

  test('finds the asks of a turn by their states', async () => {
    const store = await open();
    await goTo(store, 'turn.begin');
    const asks = [0, 1, 2].map((index) => approvalAsk('t', index, { toolKey: `tool${index}` }));
    await store.commit(lease, { at: 1, openAsks: asks }, true);
    const [opened = '', approved = '', denied = ''] = asks.map(({ id }) => id);
    await store.answerAsk(approved, { kind: 'approved', by: BY, at: 2 });
    await store.answerAsk(denied, { kind: 'denied', by: BY, at: 2 });
    const found = async (states?: readonly AskState[]) =>
      (await store.asks({ turnId: 't', ...(states === undefined ? {} : { states }) })).map(({ id }) => id);
    expect(await found()).toEqual([opened, approved, denied]);
    expect(await found([])).toEqual([]);
    expect(await found(['approved', 'open'])).toEqual([opened, approved]);
    expect(await found(['denied'])).toEqual([denied]);
    expect(await found(['expired', 'withdrawn'])).toEqual([]);
  });

  test('a call that ends withdraws its asks, and what was approved and not used', async () => {
    const store = await open();
    await goTo(store, 'call.await');
    const [first, second] = [approvalAsk('t').id, approvalAsk('t', 1, { callId: callId('t') }).id];
    await store.answerAsk(first, { kind: 'approved', by: BY, at: 2 });
    await store.commit(lease, { at: 3, openAsks: [approvalAsk('t', 1, { callId: callId('t') })] }, true);
    await store.commit(
      lease,
      { at: 4, calls: [{ move: 'call.end', id: callId('t'), outcome: done, keep: false }] },
      true,
    );
    for (const id of [first, second]) {
      expect((await store.ask(id))?.answer).toEqual({ kind: 'withdrawn', at: 4, reason: 'ended' });
    }
  });
});

test('codes are short, and grow only where they must', () => {
  const id = fc.stringMatching(/^[0-9a-f]{64}$/);
  fc.assert(
    fc.property(fc.uniqueArray(id, { maxLength: 200 }), (ids) => {
      const taken = new Set<string>();
      for (const one of ids) taken.add(askCode(`${one}-1`, (code) => taken.has(code)));
      expect(taken.size).toBe(ids.length);
    }),
    { numRuns: 20 },
  );
  expect(askCode('ff'.repeat(32), (code) => code.length < 8)).toHaveLength(8);
});

test.each(['call.start', 'nonsense:after', 'call.start:after#0', 'call.start:after#x'])(
  'the failpoint %s is none, and the error says which there are',
  (spec) => {
    expect(() => createFailpoint(spec)).toThrow(/turn\.begin:before/);
  },
);

const program = fileURLToPath(new URL('./fixtures/failpoint-process.ts', import.meta.url));

/** Runs a process that goes to the transition; how it ended. */
async function goInProcess(file: string, name: string, failpoint?: string): Promise<string> {
  const args = ['--conditions=baigong-source', '--disable-warning=ExperimentalWarning', program, file, name];
  const child = spawn(process.execPath, [...args, ...(failpoint === undefined ? [] : [failpoint])]);
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    said += String(chunk);
  });
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return signal ?? `${code} ${said.trim()}`;
}

describe('a process that is killed at', () => {
  test.each(names.flatMap((name) => (['before', 'after'] as const).map((place) => [name, place] as const)))(
    '%s:%s leaves nothing of it, or all of it',
    async (name, place) => {
      const file = join(folder, 'store.db');
      // The way to it, without it, and with it.
      const fresh = await createSqliteStore({ file });
      for (const before of ways[name].before ?? []) await ways[before].make(fresh);
      if (name === 'ask.answer') {
        await fresh.commit({ turnId: 't', epoch: 1 }, { at: 1, openAsks: [questionAsk('t')] }, true);
      }
      const was = await visible(fresh);
      await ways[name].make(fresh);
      const would = await visible(fresh);
      await fresh.close();
      await rm(file);
      await rm(`${file}-wal`, { force: true });
      await rm(`${file}-shm`, { force: true });
      expect(await goInProcess(file, name, `${name}:${place}`)).toBe('SIGKILL');
      const store = await createSqliteStore({ file });
      expect(await visible(store)).toEqual(place === 'before' ? was : would);
      await store.close();
    },
  );

  test('no failpoint arrives', async () => {
    expect(await goInProcess(join(folder, 'store.db'), 'call.end')).toBe('0 arrived');
  });
});
