import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSqliteStore } from './create-sqlite-store.ts';
import { approvalAsk, goTo } from './fixtures/durable-steps.ts';
import { APPLICATION_ID, migrations, ROWS_PER_TURN } from './migrations.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'baigong-'));
  file = join(folder, 'store.db');
});

afterEach(() => rm(folder, { recursive: true }));

const textOf = (turnId: string) => `of ${turnId}`;

/** A file as version 2 left it: a reset talk, turns that ended, and turns that a crash cut off. */
function makeVersionTwo(): void {
  const database = new DatabaseSync(file);
  for (const step of migrations.slice(0, 2)) database.exec(step);
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = 2; PRAGMA journal_mode = WAL`);
  database.exec(`
    INSERT INTO session VALUES ('talk', 10, 90, 6, 1, 1, 2), ('fresh', 1, 1, 1, 0, 0, 0);
    INSERT INTO session_value VALUES ('talk', 'k', '7');
    INSERT INTO turn VALUES
      (1, 'forgotten', 'talk', 'done', 10, 20, '1:1:x', 1, 1, 0),
      (2, 'first', 'talk', 'done', 30, 40, '1:1:x', 1, 2, 0),
      (3, 'cut', 'talk', 'running', 50, NULL, '1:1:x', 0, NULL, 0),
      (4, 'second', 'talk', 'done', 60, 70, '1:1:x', 1, 3, 0),
      (5, 'cut before the reset', 'talk', 'running', 5, NULL, '1:1:x', 0, NULL, 1),
      (6, 'cut too', 'talk', 'running', 80, NULL, '1:1:x', 0, NULL, 0),
      (7, 'only', 'fresh', 'running', 80, NULL, '1:1:x', 0, NULL, 0);`);
  const insert = database.prepare('INSERT INTO message VALUES (?, ?, ?)');
  for (const { number, id } of database.prepare('SELECT number, id FROM turn').all()) {
    const turnId = String(id);
    const body = JSON.stringify({ role: 'user', turnId, at: 1, speakerId: 'u', text: textOf(turnId) });
    insert.run(Number(number) * ROWS_PER_TURN, body.length, body);
    database
      .prepare('UPDATE turn SET chars = ? WHERE number = ? AND end_order IS NOT NULL')
      .run(body.length, number ?? 0);
  }
  database.close();
}

describe('a file of version 2', () => {
  test('ends turns that were cut off, and their talk joins the history behind what was there', async () => {
    makeVersionTwo();
    const before = Date.now() - 1_000;
    const store = await createSqliteStore({ file });
    const talk = async (key: string, chars = Infinity) =>
      (await store.history(key, 99, chars)).map(({ turnId }) => turnId);
    expect(await talk('talk')).toEqual(['first', 'second', 'cut', 'cut too']);
    expect(await talk('fresh')).toEqual(['only']);
    for (const id of ['cut', 'cut too', 'cut before the reset', 'only']) {
      expect(await store.turn(id)).toMatchObject({ status: 'failed', epoch: 1, inLane: true, activeMs: 0 });
      expect((await store.turn(id))?.endedAt).toBeGreaterThan(before);
      expect(await store.messages(id)).toHaveLength(1);
    }
    // Their length counts like that of others.
    const [last] = await store.messages('cut too');
    expect(await talk('talk', JSON.stringify(last).length)).toEqual(['cut too']);
    expect(await store.openTurns({})).toEqual([]);
    expect(await store.resumable('', Date.now(), () => false)).toEqual([]);
    expect(await store.getValue('talk', 'k')).toBe(7);
    await store.close();
  });

  test('says of old turns only what is known: on behalf of nobody with rights', async () => {
    makeVersionTwo();
    const store = await createSqliteStore({ file });
    expect((await store.turn('first'))?.request).toEqual({
      origin: { kind: 'api' },
      principal: {
        id: 'api:local:embedder',
        userId: 'embedder',
        role: 'user',
        platformRoles: [],
        authentication: 'none',
      },
      attended: false,
      deliver: false,
    });
    await store.close();
  });

  test('is copied first, and works like a new one: its next turns, asks and signatures', async () => {
    makeVersionTwo();
    const store = await createSqliteStore({ file });
    expect((await readdir(folder)).filter((name) => /^store\.db\.v2-\d{8}T\d{9}Z\.bak$/.test(name))).toHaveLength(1);
    await goTo(store, 'call.await');
    expect((await store.ask(approvalAsk('t').id))?.state).toBe('open');
    await store.takeIn(
      {
        id: 'n',
        sessionKey: 'talk',
        at: 95,
        inLane: true,
        project: 'p',
        request: (await store.turn('t'))?.request ?? never(),
      },
      [{ role: 'user', turnId: 'n', at: 95, speakerId: 'u', text: 'new' }],
      [],
    );
    const turn = { move: 'turn.end', status: 'done', activeMs: 1, reply: false } as const;
    await store.commit({ turnId: 'n', epoch: 1 }, { at: 96, turn }, true);
    expect((await store.history('talk', 1, Infinity)).map(({ turnId }) => turnId)).toEqual(['n']);
    const signature = store.sign('x');
    await store.close();
    const again = await createSqliteStore({ file });
    expect(again.sign('x')).toBe(signature);
    await again.close();
    const other = await createSqliteStore({ file: join(folder, 'other.db') });
    expect(other.sign('x')).not.toBe(signature);
    await other.close();
  });
});

function never(): never {
  throw new Error('the turn is not there');
}
