import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../contracts/store.ts';
import { append, beginTurn, endTurn, plainTurn } from './fixtures/plain-turns.ts';
import { assistantMessage, entry, userMessage } from './fixtures/sample-messages.ts';
import { storeKinds } from './fixtures/store-kinds.ts';

describe.each(storeKinds)('sessions of the $name store', ({ open }) => {
  let folder: string;
  let store: Store;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'baigong-'));
    store = await open(folder);
  });

  afterEach(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });

  const turnOf = plainTurn;

  async function begin(id: string, sessionKey?: string, startedAt?: number): Promise<void> {
    await beginTurn(store, turnOf(id, sessionKey, startedAt), [userMessage(id, `ask ${id}`)], []);
  }

  async function wholeTurn(id: string, sessionKey?: string): Promise<void> {
    await begin(id, sessionKey);
    await endTurn(store, id, 'done', 2, [assistantMessage(id, `answer ${id}`)], []);
  }

  async function textsOfHistory(maxTurns: number, maxChars = Infinity, sessionKey = 'session'): Promise<string[]> {
    const messages = await store.history(sessionKey, maxTurns, maxChars);
    return messages.map((message) =>
      message.role === 'user' ? message.text : message.role === 'assistant' ? (message.parts[0]?.text ?? '') : '',
    );
  }

  describe('a reset', () => {
    test('empties the history and the values, and nothing else', async () => {
      await wholeTurn('a');
      await wholeTurn('b');
      await wholeTurn('elsewhere', 'other session');
      await store.setValue('session', 'k', 1);
      await store.setValue('other session', 'k', 2);
      expect(await store.resetSession('session', 9)).toBe(true);
      expect(await textsOfHistory(10)).toEqual([]);
      expect(await store.getValue('session', 'k')).toBeUndefined();
      expect(await textsOfHistory(10, Infinity, 'other session')).toHaveLength(2);
      expect(await store.getValue('other session', 'k')).toBe(2);
      expect((await store.turns('session', 10)).map((turn) => turn.id)).toEqual(['b', 'a']);
      expect(await store.messages('a')).toHaveLength(2);
      await wholeTurn('c');
      expect(await textsOfHistory(10)).toEqual(['ask c', 'answer c']);
      expect(await store.session('session')).toMatchObject({ turns: 3 });
    });

    test('keeps the record of what was before', async () => {
      await beginTurn(store, turnOf('t'), [], [entry('a', 1)]);
      await endTurn(store, 't', 'done', 2, [], [entry('b', 2)]);
      await store.resetSession('session', 9);
      expect(await store.record('t')).toEqual([entry('a', 1), entry('b', 2)]);
      expect(await store.turn('t')).toMatchObject({ status: 'done', endedAt: 2 });
    });

    test('keeps the talk of a turn that runs meanwhile out of the new history', async () => {
      await wholeTurn('before');
      await begin('across');
      await begin('across two');
      await store.resetSession('session', 9);
      await wholeTurn('after');
      await append(store, 'across', [assistantMessage('across', 'late')], [], true);
      await endTurn(store, 'across', 'done', 10, [], [entry('x')]);
      expect(await textsOfHistory(10)).toEqual(['ask after', 'answer after']);
      expect(await store.messages('across')).toHaveLength(2);
      expect(await store.turn('across')).toMatchObject({ status: 'done', endedAt: 10 });
      await store.resetSession('session', 11);
      await wholeTurn('last');
      await endTurn(store, 'across two', 'done', 12, [], []);
      expect(await textsOfHistory(10)).toEqual(['ask last', 'answer last']);
      // Those that were left out take no place among the newest.
      expect(await textsOfHistory(1)).toEqual(['ask last', 'answer last']);
    });

    test('leaves an abandoned turn to be settled, outside of the new history', async () => {
      await begin('lost');
      await store.resetSession('session', 9);
      const lost = async () => (await store.resumable('p', 10, () => false)).map((turn) => turn.id);
      expect(await lost()).toEqual(['lost']);
      await endTurn(store, 'lost', 'failed', 10, [assistantMessage('lost', 'cut off')], []);
      expect(await lost()).toEqual([]);
      expect(await textsOfHistory(10)).toEqual([]);
    });

    test('gives its room back', async () => {
      for (let index = 0; index < 15; index += 1) await store.setValue('s', `k${index}`, 'x'.repeat(1_000_000));
      await store.resetSession('s', 9);
      for (let index = 0; index < 15; index += 1) await store.setValue('s', `n${index}`, 'x'.repeat(1_000_000));
      expect(await store.getValue('s', 'n14')).toHaveLength(1_000_000);
    });

    test('of a session that is not there does nothing and says so', async () => {
      expect(await store.resetSession('none', 9)).toBe(false);
      expect(await store.session('none')).toBeUndefined();
      expect(await store.sessions(10)).toEqual([]);
      await store.deleteValue('none', 'k', 9);
      expect(await store.session('none')).toBeUndefined();
      await store.setValue('values only', 'k', 1, 5);
      expect(await store.resetSession('values only', 9)).toBe(true);
      expect(await store.resetSession('values only', 9)).toBe(true);
    });
  });

  test('tells when a session was last used, by turns, values and resets', async () => {
    const updatedAt = async () => (await store.session('session'))?.updatedAt;
    await store.setValue('session', 'k', 1, 10);
    expect(await store.session('session')).toEqual({ key: 'session', createdAt: 10, updatedAt: 10, turns: 0 });
    await begin('t', 'session', 20);
    expect(await store.session('session')).toEqual({ key: 'session', createdAt: 10, updatedAt: 20, turns: 1 });
    await store.setValue('session', 'k', 2, 30);
    expect(await updatedAt()).toBe(30);
    await endTurn(store, 't', 'done', 40, [], []);
    expect(await updatedAt()).toBe(40);
    await store.deleteValue('session', 'never there', 45);
    await store.getValue('session', 'k');
    expect(await updatedAt()).toBe(40);
    await store.deleteValue('session', 'k', 50);
    expect(await updatedAt()).toBe(50);
    await store.resetSession('session', 60);
    expect(await updatedAt()).toBe(60);
    // Clocks may go back; what is known does not.
    await store.setValue('session', 'k', 3, 1);
    await store.resetSession('session', 2);
    expect(await updatedAt()).toBe(60);
    const before = Date.now();
    await store.setValue('session', 'k', 4);
    expect(await updatedAt()).toBeGreaterThanOrEqual(before);
    expect((await store.sessions(10)).map((session) => session.key)).toEqual(['session']);
  });

  describe('of values keeps at most', () => {
    const MIB = 2 ** 20;

    async function expectLimit(attempt: Promise<void>, said: readonly (string | number)[]): Promise<void> {
      const error: unknown = await attempt.catch((reason: unknown) => reason);
      expect(error).toMatchObject({ name: 'StoreError', code: 'LIMIT' });
      for (const words of said) expect((error as Error).message).toContain(String(words));
    }

    test('1 MiB of JSON text in one', async () => {
      // Two bytes are the quotation marks; a Han character has three.
      await store.setValue('s', 'latin', 'x'.repeat(MIB - 2));
      await store.setValue('s', 'han', '百'.repeat((MIB - 4) / 3));
      await expectLimit(store.setValue('s', 'latin', 'x'.repeat(MIB - 1), 1), ['"latin"', MIB + 1, MIB]);
      await expectLimit(store.setValue('new', 'han', '百'.repeat(MIB / 2)), ['"han"', MIB]);
      expect(await store.getValue('s', 'latin')).toHaveLength(MIB - 2);
      expect(await store.session('new')).toBeUndefined();
    });

    test('16 MiB in sum, keys counted', async () => {
      for (let index = 0; index < 15; index += 1)
        await store.setValue('s', String(index % 10) + index, 'x'.repeat(MIB - 2));
      const keys = 10 * 2 + 5 * 3;
      const room = MIB - keys;
      await expectLimit(store.setValue('s', 'last', 'x'.repeat(room - 2 - 'last'.length + 1)), [
        '"last"',
        16 * MIB + 1,
      ]);
      await expectLimit(store.setValue('s', 'k'.repeat(room), 1), [16 * MIB + 1]);
      await store.setValue('s', 'last', 'x'.repeat(room - 2 - 'last'.length));
      await store.setValue('s', 'last', 'y'.repeat(room - 2 - 'last'.length));
      await expectLimit(store.setValue('s', 'l', 0), ['"l"', 16 * MIB + 2, 16 * MIB]);
      await store.setValue('other', 'l', 0);
      await store.setValue('s', 'last', 'shorter');
      await store.setValue('s', 'l', 0);
      await store.deleteValue('s', '00');
      await store.setValue('s', 'new', 'x'.repeat(MIB - 10));
      expect(await store.getValue('s', '00')).toBeUndefined();
    });

    test('10,000 keys', async () => {
      for (let index = 0; index < 10_000; index += 1) await store.setValue('s', `k${index}`, index);
      await expectLimit(store.setValue('s', 'one more', 1), ['"one more"', 10_000]);
      await store.setValue('s', 'k5', 'changed');
      await store.deleteValue('s', 'k6');
      await store.deleteValue('s', 'k6');
      await store.setValue('s', 'one more', 1);
      await expectLimit(store.setValue('s', 'k6', 1), [10_000]);
    });
  });
});
