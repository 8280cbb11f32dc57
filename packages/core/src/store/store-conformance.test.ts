import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Message } from '../contracts/message.ts';
import type { RecordEntry } from '../contracts/record-entry.ts';
import type { Store } from '../contracts/store.ts';
import type { StoredTurn } from '../contracts/stored-turn.ts';
import { append, beginTurn, endTurn, plainTurn } from './fixtures/plain-turns.ts';
import { assistantMessage, entry, userMessage } from './fixtures/sample-messages.ts';
import { storeKinds } from './fixtures/store-kinds.ts';

describe.each(storeKinds)('the $name store', ({ open }) => {
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

  function storedOf(id: string, startedAt: number): StoredTurn {
    const { at: _at, ...turn } = turnOf(id);
    return { ...turn, status: 'running', startedAt, holder: store.holder, epoch: 1, activeMs: 0 };
  }

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

  test('keeps messages and entries of a turn in the order in which they came', async () => {
    await beginTurn(store, turnOf('t'), [userMessage('t', 'hello')], [entry('a', { n: 1 })]);
    await append(
      store,
      't',
      [assistantMessage('t', 'one'), assistantMessage('t', 'two')],
      [entry('b'), entry('c')],
      false,
    );
    await append(store, 't', [], [entry('d', [1, 'x', null])], true);
    await endTurn(store, 't', 'done', 9, [assistantMessage('t', 'three')], [entry('e')]);
    expect(await store.messages('t')).toEqual([
      userMessage('t', 'hello'),
      assistantMessage('t', 'one'),
      assistantMessage('t', 'two'),
      assistantMessage('t', 'three'),
    ]);
    expect(await store.record('t')).toEqual([
      entry('a', { n: 1 }),
      entry('b'),
      entry('c'),
      entry('d', [1, 'x', null]),
      entry('e'),
    ]);
  });

  test('tells what became of a turn', async () => {
    await begin('t', 'session', 5);
    expect(await store.turn('t')).toEqual(storedOf('t', 5));
    await endTurn(store, 't', 'limit', 7, [], []);
    expect(await store.turn('t')).toEqual({ ...storedOf('t', 5), status: 'limit', endedAt: 7 });
    expect(await store.turn('other')).toBeUndefined();
    expect(await store.messages('other')).toEqual([]);
    expect(await store.record('other')).toEqual([]);
  });

  describe('refuses, and writes nothing,', () => {
    beforeEach(async () => {
      await begin('open');
      await wholeTurn('ended');
    });

    test.each<[string, string, () => Promise<void>]>([
      [
        'to append to an unknown turn',
        'LEASE_LOST',
        () => append(store, 'none', [userMessage('none', 'x')], [], false),
      ],
      ['to append durably to an unknown turn', 'LEASE_LOST', () => append(store, 'none', [], [entry('x')], true)],
      ['to end an unknown turn', 'LEASE_LOST', () => endTurn(store, 'none', 'done', 1, [], [])],
      [
        'to append to an ended turn',
        'LEASE_LOST',
        () => append(store, 'ended', [userMessage('ended', 'x')], [], false),
      ],
      ['to append an entry to an ended turn', 'LEASE_LOST', () => append(store, 'ended', [], [entry('x')], false)],
      ['to end a turn twice', 'LEASE_LOST', () => endTurn(store, 'ended', 'failed', 1, [], [entry('x')])],
      [
        'to begin a turn that exists',
        'TURN_EXISTS',
        () => beginTurn(store, turnOf('open', 'new session'), [userMessage('open', 'x')], [entry('x')]),
      ],
    ])('%s', async (_name, code, attempt) => {
      await expect(attempt()).rejects.toMatchObject({ name: 'StoreError', code });
      expect(await store.messages('open')).toEqual([userMessage('open', 'ask open')]);
      expect(await store.record('open')).toEqual([]);
      expect(await store.messages('ended')).toHaveLength(2);
      expect(await store.record('ended')).toEqual([]);
      expect(await store.turn('ended')).toMatchObject({ status: 'done', endedAt: 2 });
      expect(await store.turn('none')).toBeUndefined();
      expect((await store.sessions(10)).map((session) => session.key)).toEqual(['session']);
    });

    test('anything once it is closed', async () => {
      await store.close();
      await expect(begin('late')).rejects.toMatchObject({ code: 'CLOSED' });
      await expect(store.turn('open')).rejects.toMatchObject({ code: 'CLOSED' });
      await store.close();
    });
  });

  describe('history', () => {
    test('has the messages of ended turns in the order of their end', async () => {
      await begin('a');
      await begin('b');
      await begin('still running');
      await endTurn(store, 'b', 'done', 2, [assistantMessage('b', 'answer b')], []);
      await endTurn(store, 'a', 'failed', 3, [], []);
      expect(await textsOfHistory(10)).toEqual(['ask b', 'answer b', 'ask a']);
    });

    test('has the newest turns, whole, and no others', async () => {
      for (const id of ['a', 'b', 'c']) await wholeTurn(id);
      await wholeTurn('elsewhere', 'other session');
      expect(await textsOfHistory(2)).toEqual(['ask b', 'answer b', 'ask c', 'answer c']);
      expect(await textsOfHistory(0)).toEqual([]);
      expect(await textsOfHistory(Infinity)).toHaveLength(6);
      expect(await textsOfHistory(10, Infinity, 'none')).toEqual([]);
    });

    test('counts the length of messages as JSON, and stops at the first turn that does not fit', async () => {
      await wholeTurn('a');
      await begin('b');
      await append(store, 'b', [assistantMessage('b', '长'.repeat(500))], [], false);
      await endTurn(store, 'b', 'done', 2, [], []);
      await wholeTurn('c');
      const lengths = new Map<string, number>();
      for (const id of ['a', 'b', 'c']) {
        const messages = await store.messages(id);
        lengths.set(
          id,
          messages.reduce((sum, message) => sum + JSON.stringify(message).length, 0),
        );
      }
      const [a = 0, b = 0, c = 0] = [...lengths.values()];
      const turnsWithin = async (chars: number) => [
        ...new Set((await store.history('session', 10, chars)).map((message) => message.turnId)),
      ];
      expect(await turnsWithin(a + b + c)).toEqual(['a', 'b', 'c']);
      expect(await turnsWithin(a + b + c - 1)).toEqual(['b', 'c']);
      expect(await turnsWithin(b + c - 1)).toEqual(['c']);
      expect(await turnsWithin(c - 1)).toEqual([]);
    });

    test('does not count turns without messages', async () => {
      await wholeTurn('a');
      await beginTurn(store, turnOf('direct call'), [], [entry('x')]);
      await endTurn(store, 'direct call', 'done', 5, [], []);
      expect(await textsOfHistory(1)).toEqual(['ask a', 'answer a']);
    });
  });

  test('lists turns, newest first', async () => {
    await begin('a', 'one');
    await begin('b', 'two');
    await begin('c', 'one');
    const ids = async (sessionKey: string | undefined, limit: number) =>
      (await store.turns(sessionKey, limit)).map((turn) => turn.id);
    expect(await ids(undefined, 10)).toEqual(['c', 'b', 'a']);
    expect(await ids(undefined, 2)).toEqual(['c', 'b']);
    expect(await ids('one', 10)).toEqual(['c', 'a']);
    expect(await ids('one', 0)).toEqual([]);
    expect(await ids('none', 10)).toEqual([]);
  });

  test('lists sessions, the last used first', async () => {
    await begin('a', 'one', 10);
    await begin('b', 'two', 20);
    await begin('c', 'three', 20);
    await begin('d', 'one', 30);
    await endTurn(store, 'b', 'done', 40, [], []);
    expect(await store.sessions(10)).toEqual([
      { key: 'two', createdAt: 20, updatedAt: 40, turns: 1 },
      { key: 'one', createdAt: 10, updatedAt: 30, turns: 2 },
      { key: 'three', createdAt: 20, updatedAt: 20, turns: 1 },
    ]);
    expect(await store.sessions(1)).toHaveLength(1);
  });

  test('keeps values by session and key', async () => {
    expect(await store.getValue('s', 'k')).toBeUndefined();
    await store.setValue('s', 'k', { list: [1, null, 'x'] });
    await store.setValue('s', 'empty', null);
    await store.setValue('other', 'k', 2);
    expect(await store.getValue('s', 'k')).toEqual({ list: [1, null, 'x'] });
    expect(await store.getValue('s', 'empty')).toBeNull();
    await store.setValue('s', 'k', false);
    expect(await store.getValue('s', 'k')).toBe(false);
    await store.deleteValue('s', 'k');
    await store.deleteValue('s', 'never there');
    expect(await store.getValue('s', 'k')).toBeUndefined();
    expect(await store.getValue('other', 'k')).toBe(2);
  });

  describe('gives back exactly', () => {
    const texts: readonly [string, string][] = [
      ['nothing', ''],
      ['NUL', 'a\u0000b'],
      ['a lone high surrogate', 'x\ud83dy'],
      ['a lone low surrogate', '\ude00'],
      ['emoji and Han', '😀百工'],
      ['quotation marks and SQL', '"quoted"\'; DROP TABLE turn; --'],
      ['a name of Object', '__proto__'],
      ['line separators', '\u2028\u2029\r\n'],
      ['a megabyte', '百'.repeat(1_000_000)],
    ];

    test.each(texts)('a text with %s', async (_name, text) => {
      await beginTurn(store, turnOf('t'), [userMessage('t', text)], [entry('k', { [text.slice(0, 20)]: text })]);
      expect(await store.messages('t')).toEqual([userMessage('t', text)]);
      const [kept] = await store.record('t');
      expect(kept?.body).toEqual({ [text.slice(0, 20)]: text });
    });

    test.each(texts)('names with %s', async (_name, text) => {
      await begin(text, text);
      await wholeTurn(`${text}2`, text);
      const value = text.slice(0, 1000);
      await store.setValue(text, text, value);
      expect((await store.turn(text))?.id).toBe(text);
      expect((await store.turns(text, 10)).map((turn) => turn.sessionKey)).toEqual([text, text]);
      expect((await store.sessions(10)).map((session) => session.key)).toEqual([text]);
      expect(await store.getValue(text, text)).toBe(value);
      expect((await store.history(text, 1, Infinity)).map((message) => message.turnId)).toEqual([
        `${text}2`,
        `${text}2`,
      ]);
    });

    test('names that differ in lone surrogates only', async () => {
      await store.setValue('s', '\ud800', 1);
      await store.setValue('s', '\ud801', 2);
      await store.setValue('s', '"\\ud800"', 3);
      await store.setValue('s', '\ufffd', 4);
      expect(
        await Promise.all(['\ud800', '\ud801', '"\\ud800"', '\ufffd'].map((key) => store.getValue('s', key))),
      ).toEqual([1, 2, 3, 4]);
    });

    test('members with the names of Object’s own', async () => {
      const odd = JSON.parse('{"__proto__":{"a":1},"constructor":"c","toString":null}') as RecordEntry['body'];
      await beginTurn(store, turnOf('t'), [], [entry('k', odd)]);
      await store.setValue('s', 'k', odd);
      expect(JSON.stringify((await store.record('t'))[0]?.body)).toBe(JSON.stringify(odd));
      expect(JSON.stringify(await store.getValue('s', 'k'))).toBe(JSON.stringify(odd));
    });
  });

  test('is not altered through what it was given or gave', async () => {
    const given = { role: 'user', turnId: 't', at: 1, speakerId: 'u', text: 'mine', extra: { deep: ['x'] } };
    const list = [given as Message];
    const value = { list: [1] };
    await beginTurn(store, turnOf('t'), list, []);
    await store.setValue('s', 'k', value);
    const attempts = [
      () => (given.text = 'changed'),
      () => given.extra.deep.push('y'),
      () => list.push(userMessage('t', 'more')),
      () => value.list.push(2),
    ];
    for (const read of [await store.messages('t'), await store.history('s', 9, 9)]) {
      attempts.push(() => (read as Message[]).push(userMessage('t', 'more')));
    }
    const readValue = (await store.getValue('s', 'k')) as { list: number[] };
    attempts.push(() => readValue.list.push(3));
    for (const attempt of attempts) {
      try {
        attempt();
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError);
      }
    }
    expect(await store.messages('t')).toEqual([
      { role: 'user', turnId: 't', at: 1, speakerId: 'u', text: 'mine', extra: { deep: ['x'] } },
    ]);
    expect(await store.getValue('s', 'k')).toEqual({ list: [1] });
  });
});
