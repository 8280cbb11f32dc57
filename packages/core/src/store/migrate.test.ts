import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSqliteStore } from './create-sqlite-store.ts';
import { type Opening, startOpening } from './fixtures/start-opening.ts';
import { APPLICATION_ID, migrations, ROWS_PER_TURN } from './migrations.ts';
import { openDatabase } from './open-database.ts';

const COPY_NAME = /^store\.db\.v1-\d{8}T\d{9}Z\.bak$/;

let folder: string;
let file: string;
const openings = new Set<Opening>();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'baigong-'));
  file = join(folder, 'store.db');
});

afterEach(async () => {
  for (const { child } of openings) child.kill('SIGKILL');
  openings.clear();
  await rm(folder, { recursive: true });
});

async function start(...args: Parameters<typeof startOpening>): Promise<Opening> {
  const opening = await startOpening(...args);
  openings.add(opening);
  return opening;
}

async function copies(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.includes('.bak')).sort();
}

/** A file as version 1 of the schema made and filled it, left open: its last writes are in the log only. */
function makeVersionOne(path: string, valueBytes = 3): DatabaseSync {
  const database = new DatabaseSync(path);
  database.exec(migrations[0] ?? '');
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = 1; PRAGMA journal_mode = WAL`);
  const [first, second] = [ROWS_PER_TURN, 2 * ROWS_PER_TURN];
  database.exec(`
    INSERT INTO session VALUES ('terminal', 10, 40, 2);
    INSERT INTO turn VALUES
      (1, 'ended', 'terminal', 'done', 10, 20, '1:1:x', 75, 1),
      (2, 'cut off', 'terminal', 'running', 40, NULL, '1:1:x', 0, NULL);
    INSERT INTO message VALUES
      (${first}, 75, '{"role":"user","turnId":"ended","at":10,"speakerId":"terminal:me","text":"hello"}'),
      (${second}, 76, '{"role":"user","turnId":"cut off","at":40,"speakerId":"terminal:me","text":"more"}');
    INSERT INTO record_entry VALUES
      (${first}, 'turn-start', 10, '{"model":"m"}'), (${first + 1}, 'turn-end', 20, 'null');
    INSERT INTO session_value VALUES ('terminal', 'count', '7'), ('terminal', '百', '"工"'), ('no turns', 'k', 'true')`);
  database
    .prepare("INSERT INTO session_value VALUES ('terminal', 'big', ?)")
    .run(JSON.stringify('x'.repeat(valueBytes)));
  return database;
}

async function expectAllThere(): Promise<void> {
  const store = await createSqliteStore({ file });
  const ended = { id: 'ended', sessionKey: 'terminal', status: 'done', startedAt: 10, endedAt: 20, holder: '1:1:x' };
  // Nobody could go on with it: of that version nobody knows for whom it was.
  const cutOff = { id: 'cut off', sessionKey: 'terminal', status: 'failed', startedAt: 40, holder: '1:1:x' };
  expect(await store.turns('terminal', 10)).toMatchObject([cutOff, ended]);
  expect(await store.resumable('', Date.now(), () => false)).toEqual([]);
  expect(await store.session('terminal')).toEqual({ key: 'terminal', createdAt: 10, updatedAt: 40, turns: 2 });
  expect(await store.session('no turns')).toMatchObject({ key: 'no turns', turns: 0 });
  const message = { role: 'user', turnId: 'ended', at: 10, speakerId: 'terminal:me', text: 'hello' };
  expect(await store.messages('ended')).toEqual([message]);
  expect(await store.messages('cut off')).toEqual([{ ...message, turnId: 'cut off', at: 40, text: 'more' }]);
  expect((await store.history('terminal', 10, Infinity)).map(({ turnId }) => turnId)).toEqual(['ended', 'cut off']);
  expect(await store.record('ended')).toEqual([
    { kind: 'turn-start', at: 10, body: { model: 'm' } },
    { kind: 'turn-end', at: 20, body: null },
  ]);
  expect(await store.getValue('terminal', 'count')).toBe(7);
  expect(await store.getValue('terminal', '百')).toBe('工');
  expect(await store.getValue('no turns', 'k')).toBe(true);
  await store.close();
}

function versionOf(path: string): unknown {
  const database = new DatabaseSync(path, { readOnly: true });
  const version = database.prepare('PRAGMA user_version').get()?.user_version;
  database.close();
  return version;
}

describe('a file of version 1', () => {
  test('keeps all that it had, and its copy too', async () => {
    makeVersionOne(file).close();
    await expectAllThere();
    expect(versionOf(file)).toBe(migrations.length);
    expect(await copies()).toEqual([expect.stringMatching(COPY_NAME)]);
    const copy = join(folder, (await copies())[0] ?? '');
    expect((await stat(copy)).mode & 0o777).toBe(0o600);
    expect(versionOf(copy)).toBe(1);
    // The copy is a store file like any other.
    await rm(file);
    await writeFile(file, await readFile(copy));
    await expectAllThere();
  });

  test('counts the values that it had', async () => {
    makeVersionOne(file, 1000).close();
    const main = await openDatabase(file);
    expect({ ...main.prepare("SELECT value_count, value_bytes FROM session WHERE key = 'terminal'").get() }).toEqual({
      value_count: 3,
      value_bytes: 'count7'.length + Buffer.byteLength('百"工"') + 'big'.length + 1002,
    });
    main.close();
  });

  test('may hold more than is allowed today, and shrink', async () => {
    const MIB = 2 ** 20;
    makeVersionOne(file, 3 * MIB).close();
    const store = await createSqliteStore({ file });
    await store.setValue('terminal', 'big', 'y'.repeat(2 * MIB));
    await expect(store.setValue('terminal', 'big', 'z'.repeat(2 * MIB + 1))).rejects.toMatchObject({ code: 'LIMIT' });
    expect(await store.getValue('terminal', 'big')).toBe('y'.repeat(2 * MIB));
    await store.close();
  });

  test('is copied with what another process has written to the log, while it has the file open', async () => {
    const other = makeVersionOne(file);
    await expectAllThere();
    const copy = new DatabaseSync(join(folder, (await copies())[0] ?? ''), { readOnly: true });
    expect(copy.prepare('SELECT count(*) AS number FROM session_value').get()?.number).toBe(4);
    copy.close();
    other.close();
  });

  test('is copied for its owner only, whatever the umask is', async () => {
    makeVersionOne(file).close();
    const opening = await start({ file, umask: 0 });
    opening.go();
    expect(await opening.result).toEqual({ version: migrations.length });
    const modes = (await copies()).map(async (name) => (await stat(join(folder, name))).mode & 0o777);
    expect(await Promise.all(modes)).toEqual([0o600]);
  });

  test('leaves no unfinished copy of an earlier attempt behind', async () => {
    makeVersionOne(file).close();
    await writeFile(join(folder, 'store.db.v1-20200101T000000000Z.bak.part'), 'half');
    await writeFile(join(folder, 'store.db.v1-20200101T000000000Z.bak'), 'another one, whole');
    await expectAllThere();
    expect(await copies()).toEqual(['store.db.v1-20200101T000000000Z.bak', expect.stringMatching(COPY_NAME)]);
  });
});

test('a new file is not copied', async () => {
  await (await createSqliteStore({ file })).close();
  await (await createSqliteStore({ file })).close();
  expect(await copies()).toEqual([]);
});

describe('when it fails', () => {
  const broken = [...migrations, 'DROP TABLE session_value; INSERT INTO nowhere VALUES (1)'];

  test('the file is as it was, and the error names the copy; trying again makes no more copies', async () => {
    makeVersionOne(file).close();
    for (const attempt of [1, 2, 3]) {
      const error: unknown = await openDatabase(file, { migrations: broken }).catch((reason: unknown) => reason);
      const [copy = ''] = await copies();
      expect(error, `attempt ${attempt}`).toMatchObject({ name: 'StoreError', code: 'MIGRATION_FAILED' });
      for (const words of [file, join(folder, copy), `from version 1 to ${migrations.length + 1}`, 'nowhere']) {
        expect((error as Error).message).toContain(words);
      }
      expect(versionOf(file)).toBe(1);
    }
    expect(await copies()).toHaveLength(1);
    await expectAllThere();
  });

  test('and the file has changed since, the next attempt makes a copy of its own', async () => {
    makeVersionOne(file).close();
    await expect(openDatabase(file, { migrations: broken })).rejects.toMatchObject({ code: 'MIGRATION_FAILED' });
    const older = new DatabaseSync(file);
    older.exec("UPDATE session_value SET value = '8' WHERE key = 'count'");
    older.close();
    await expect(openDatabase(file, { migrations: broken })).rejects.toMatchObject({ code: 'MIGRATION_FAILED' });
    expect(await copies()).toHaveLength(2);
  });
});

describe('without a copy nothing is migrated', () => {
  async function expectUntouched(path: string, said: readonly string[], error: unknown): Promise<void> {
    expect(error).toMatchObject({ code: 'COPY_FAILED' });
    for (const words of [path, 'start again', ...said]) expect((error as Error).message).toContain(words);
    expect(versionOf(path)).toBe(1);
    expect(await copies()).toEqual([]);
  }

  test('when it cannot be made', async () => {
    // Long enough for SQLite's own companions, too long for a copy.
    const long = join(folder, `${'x'.repeat(240)}.db`);
    makeVersionOne(long).close();
    const error: unknown = await openDatabase(long).catch((reason: unknown) => reason);
    await expectUntouched(long, ['ENAMETOOLONG'], error);
  });

  test('when it does not fit on the disk', async () => {
    makeVersionOne(file, 500_000).close();
    const { size } = await stat(file);
    const opening = await start({ file }, 200);
    opening.go();
    await expectUntouched(file, [`at least ${size} bytes`], await opening.result);
  });
});

describe('with several processes', () => {
  test('one migrates, the others wait and go on', async () => {
    makeVersionOne(file, 900_000).close();
    const all = await Promise.all([1, 2, 3].map(() => start({ file })));
    for (const opening of all) opening.go();
    const version = migrations.length;
    expect(await Promise.all(all.map((opening) => opening.result))).toEqual([{ version }, { version }, { version }]);
    expect(await copies()).toEqual([expect.stringMatching(COPY_NAME)]);
    await expectAllThere();
  });

  test('kill -9 in the middle leaves the old file whole, and the next opening migrates it', async () => {
    makeVersionOne(file).close();
    const opening = await start({
      file,
      // More than SQLite keeps in memory, so that much of it is in the log, then work without an end.
      extraStep: `
        DELETE FROM session_value; DELETE FROM message; CREATE TABLE filler (bytes BLOB);
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 16)
          INSERT INTO filler SELECT zeroblob(1000000) FROM n;
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n;`,
    });
    opening.go();
    for (let tries = 0; tries < 2000; tries += 1) {
      const log = await stat(`${file}-wal`).catch(() => undefined);
      if (log !== undefined && log.size > 4_000_000) break;
      await sleep(10);
    }
    expect((await stat(`${file}-wal`)).size).toBeGreaterThan(4_000_000);
    const closed = once(opening.child, 'close');
    opening.child.kill('SIGKILL');
    await closed;
    expect(await opening.result).toBeUndefined();
    await expectAllThere();
    expect(await copies()).toEqual([expect.stringMatching(COPY_NAME)]);
  });
});

test('a folder of the user keeps its mode through a migration', async () => {
  await chmod(folder, 0o755);
  makeVersionOne(file).close();
  await expectAllThere();
  expect((await stat(folder)).mode & 0o777).toBe(0o755);
});
