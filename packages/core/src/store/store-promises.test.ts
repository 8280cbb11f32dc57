import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../contracts/store.ts';
import {
  approvalAsk,
  BY,
  callId,
  decided,
  ENDED_AT,
  end,
  goTo,
  laneTurn,
  questionAsk,
} from './fixtures/durable-steps.ts';
import { plainTurn, userMessageOf } from './fixtures/plain-turns.ts';
import { type StoreOptions, storeKinds } from './fixtures/store-kinds.ts';

const lease = { turnId: 't', epoch: 1 };
const grant = { sessionKey: 'lane', principalId: 'me', toolKey: 'send', definitionDigest: 'sha256:d' };
const message = { adapter: 'a', endpoint: 'e', messageId: 'm' };

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

  describe('erases', () => {
    test('no reply that is not delivered yet', async () => {
      const store = await open();
      await goTo(store, 'turn.end');
      await store.erase(1_000);
      expect(await store.replies('p')).toMatchObject([{ turnId: 't', state: 'pending' }]);
      await store.claimReply('t', false);
      await store.settleReply('t', 'delivered');
      await store.erase(1_000);
      expect(await store.reply('t')).toBeUndefined();
    });

    test('the name of a message only when its turn has ended, so that nothing is taken in twice', async () => {
      const store = await open();
      await store.takeIn({ ...laneTurn('t'), message }, [], []);
      await store.erase(1_000);
      expect(await store.takeIn({ ...laneTurn('again'), message }, [], [])).toEqual({ kind: 'seen', turnId: 't' });
      await store.commit(lease, end, true);
      await store.erase(ENDED_AT + 1);
      expect((await store.takeIn({ ...laneTurn('again'), message }, [], [])).kind).toBe('running');
    });
  });

  describe.each([
    ['approved', approvalAsk('t'), { kind: 'approved', by: BY }],
    ['answered', questionAsk('t'), { kind: 'answered', by: BY, value: 'red' }],
  ] as const)('an ask that is open although its time is over, when it is %s,', (_kind, ask, answer) => {
    test('expires instead', async () => {
      const store = await open();
      await goTo(store, 'turn.begin');
      await store.commit(lease, { at: 1, openAsks: [ask] }, true);
      expect(await store.answerAsk(ask.id, { ...answer, at: ask.answerBy })).toMatchObject({
        kind: 'late',
        ask: { state: 'expired', late: [{ kind: answer.kind }] },
      });
      expect(await store.ask(ask.id)).toMatchObject({ state: 'expired', answer: { kind: 'expired' } });
    });

    test('counts a moment before', async () => {
      const store = await open();
      await goTo(store, 'turn.begin');
      await store.commit(lease, { at: 1, openAsks: [ask] }, true);
      expect((await store.answerAsk(ask.id, { ...answer, at: ask.answerBy - 1 }))?.kind).toBe('counted');
    });
  });

  test.each([
    ['arguments', { argumentsDigest: 'hmac-sha256:other' }],
    ['definition', { definitionDigest: 'sha256:other' }],
  ] as const)('does not start a call of other %s than were approved', async (_what, other) => {
    const store = await open();
    await goTo(store, 'call.await');
    const { id } = approvalAsk('t');
    await store.answerAsk(id, { kind: 'approved', by: BY, at: 2 });
    const ready = { move: 'call.ready', ...decided('t'), ...other } as const;
    const start = { move: 'call.start', id: callId('t'), readOnly: false, use: { askId: id } } as const;
    expect(await store.commit(lease, { at: 3, calls: [ready, start] }, true)).toBe('approval-gone');
    expect((await store.ask(id))?.usedAt).toBeUndefined();
  });

  test('keeps a grant that comes without an approval', async () => {
    const store = await open();
    await goTo(store, 'call.ready');
    await store.commit(
      lease,
      { at: 3, calls: [{ move: 'call.start', id: callId('t'), readOnly: false, grant }] },
      true,
    );
    expect(await store.isGranted(grant)).toBe(true);
  });

  test('is altered by nothing that happens to what it was given, and freezes nothing of it', async () => {
    const store = await open();
    const input = { to: 'bob' };
    const principal = { ...plainTurn('t').request.principal, displayName: 'Ann' };
    const request = { ...plainTurn('t').request, principal };
    await store.takeIn({ ...laneTurn('t'), request }, [], []);
    const ask = approvalAsk('t', 0, { from: principal });
    const ready = { move: 'call.ready', ...decided('t'), input } as const;
    await store.commit(
      lease,
      { at: 1, openAsks: [ask], calls: [{ move: 'call.propose', id: callId('t') }, ready] },
      true,
    );
    input.to = 'eve';
    principal.displayName = 'Eve';
    expect((await store.calls('t'))[0]?.input).toEqual({ to: 'bob' });
    expect((await store.turn('t'))?.request.principal.displayName).toBe('Ann');
    expect((await store.ask(ask.id))?.from.displayName).toBe('Ann');
  });

  test('hands out as waiting no reply that is being sent', async () => {
    let own = '1:2:x';
    let alive = true;
    const store = await open({ isAlive: () => alive });
    Object.defineProperty(store, 'holder', { get: () => own });
    await goTo(store, 'turn.end');
    await store.claimReply('t', false);
    expect(await store.replies('p')).toEqual([]);
    own = '9:9:y';
    expect(await store.replies('p')).toEqual([]);
    alive = false;
    expect(await store.replies('p')).toMatchObject([{ state: 'unknown' }]);
    // A later process may get the same id: what is unknown stays so.
    alive = true;
    expect(await store.replies('p')).toMatchObject([{ state: 'unknown' }]);
    expect(await store.claimReply('t', false)).toBe(false);
    expect(await store.claimReply('t', true)).toBe(true);
  });

  const changes: readonly [string, (store: Store) => Promise<unknown>][] = [
    ['a turn that is taken in', (store) => store.takeIn(laneTurn('second'), [], [])],
    ['a turn that parks', (store) => store.commit(lease, { at: 5, turn: { move: 'turn.park', activeMs: 1 } }, false)],
    ['a turn that ends', (store) => store.commit(lease, end, true)],
    ['a wish to cancel', (store) => store.requestCancel('t', { at: 2, by: 'x', reason: 'asked' })],
    ['an answer', (store) => store.answerAsk(approvalAsk('t').id, { kind: 'approved', by: BY, at: 2 })],
  ];
  test.each(changes)('wakes who listens in the same process of %s, once, and then no more', async (_what, change) => {
    const store = await open();
    await goTo(store, 'ask.open');
    let woken = 0;
    const first = Promise.withResolvers<void>();
    const stop = store.subscribe(() => {
      woken += 1;
      first.resolve();
    });
    // What SQLite's look at the file may have to tell of what was before.
    if (store.constructor.name === 'SqliteStore') await first.promise;
    const before = woken;
    await change(store);
    for (let look = 0; look < 100 && woken === before; look += 1) await new Promise((done) => setTimeout(done, 10));
    expect(woken).toBe(before + 1);
    stop();
    await store.requestCancel('second', { at: 3, by: 'x', reason: 'asked' });
    await new Promise(setImmediate);
    expect(woken).toBe(before + 1);
  });

  test('says which call could not make which step, from where it could, and that nothing was written', async () => {
    const store = await open();
    await goTo(store, 'call.propose');
    const change = {
      at: 3,
      messages: [userMessageOf('t', 'x')],
      calls: [{ move: 'call.retry', id: callId('t') }],
    } as const;
    const error: unknown = await store.commit(lease, change, true).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'StoreError', code: 'FAILED' });
    for (const word of ['call.retry', callId('t'), 'proposed', 'started', 'nothing was written']) {
      expect((error as Error).message).toContain(word);
    }
    expect(await store.messages('t')).toEqual([]);
  });

  test('signs with a key of its own, the same for the same text', async () => {
    const store = await open();
    expect(store.sign('百工')).toMatch(/^[0-9a-f]{64}$/);
    expect(store.sign('百工')).toBe(store.sign('百工'));
    expect(store.sign('百')).not.toBe(store.sign('百工'));
  });
});
