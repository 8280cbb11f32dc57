import { copyFile, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSqliteStore } from './create-sqlite-store.ts';
import { startOpening } from './fixtures/start-opening.ts';
import { APPLICATION_ID, migrations } from './migrations.ts';
import { peekVersion } from './peek-version.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'baigong-'));
  file = join(folder, 'store.db');
});

afterEach(() => rm(folder, { recursive: true }));

async function contents(): Promise<Record<string, { bytes: Buffer; changed: number }>> {
  const names = (await readdir(folder)).filter((name) => !name.endsWith('.bak')).sort();
  const read = names.map(async (name) => {
    const path = join(folder, name);
    return [name, { bytes: await readFile(path), changed: (await stat(path)).mtimeMs }] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}

/** A newer program that is killed while it has the file open: its new version is in the log only. */
async function leaveNewerFile(): Promise<void> {
  await (await createSqliteStore({ file })).close();
  const opening = await startOpening({ file, extraStep: 'CREATE TABLE later (x)', dieOpen: true });
  opening.go();
  expect(await opening.result).toEqual({ version: migrations.length + 1 });
}

test('a newer file is refused without touching what its program left beside it', async () => {
  await leaveNewerFile();
  const before = await contents();
  expect(Object.keys(before)).toEqual(['store.db', 'store.db-shm', 'store.db-wal']);
  // What makes this a case of its own: the file by itself looks like one of this version.
  expect(before['store.db']?.bytes.readUInt32BE(60)).toBe(migrations.length);
  const error: unknown = await createSqliteStore({ file }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'TOO_NEW' });
  for (const words of [file, `version ${migrations.length + 1}`, 'update Baigong', 'name another file']) {
    expect((error as Error).message).toContain(words);
  }
  expect(await contents()).toEqual(before);
});

test('SQLite has the last word: what only its roll-back brings to light is refused as well', async () => {
  const newer = new DatabaseSync(file);
  newer.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = 9; CREATE TABLE later (x)`);
  // Cut off in the middle of a transaction, as copies of the file and its journal show it.
  newer.exec(`PRAGMA cache_size = 1; BEGIN IMMEDIATE; INSERT INTO later VALUES (zeroblob(100000))`);
  const cut = join(folder, 'cut.db');
  await copyFile(file, cut);
  await copyFile(`${file}-journal`, `${cut}-journal`);
  newer.exec('ROLLBACK');
  newer.close();
  const bytes = await readFile(cut);
  bytes.writeUInt32BE(1, 60);
  await writeFile(cut, bytes);
  expect(peekVersion(cut)).toBe(1);
  await expect(createSqliteStore({ file: cut })).rejects.toMatchObject({ code: 'TOO_NEW' });
});

describe('the version', () => {
  test('is that of the file and its log', async () => {
    expect(peekVersion(file)).toBe(0);
    await (await createSqliteStore({ file })).close();
    expect(peekVersion(file)).toBe(migrations.length);
    await leaveNewerFile();
    expect(peekVersion(file)).toBe(migrations.length + 1);
  });

  test.each([1, 4096, 4096 + 24])('is not one whose commit lacks its last %d bytes', async (missing) => {
    await leaveNewerFile();
    const { size } = await stat(`${file}-wal`);
    // The last frame, 24 bytes and a page, bears the mark of the commit.
    await truncate(`${file}-wal`, size - missing);
    expect(peekVersion(file)).toBe(migrations.length);
    await (await createSqliteStore({ file })).close();
  });

  test('is not one of an earlier round of the log', async () => {
    const store = await createSqliteStore({ file });
    await store.setValue('s', 'k', 'x'.repeat(100_000));
    const writer = new DatabaseSync(file);
    writer.exec('PRAGMA user_version = 9; PRAGMA wal_checkpoint(RESTART)');
    writer.exec(`PRAGMA user_version = ${migrations.length}; PRAGMA wal_checkpoint(PASSIVE)`);
    expect(peekVersion(file)).toBe(migrations.length);
    writer.close();
    await store.close();
  });

  test.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['less than a header', Buffer.from('SQLite format 3\0')],
    ['text', Buffer.from('Dear diary, '.repeat(100))],
    ['zeros', Buffer.alloc(4096)],
  ])('of %s is 0', async (_name, bytes) => {
    await writeFile(file, bytes);
    expect(peekVersion(file)).toBe(0);
  });

  test.each<[string, Buffer]>([
    ['empty', Buffer.alloc(0)],
    ['cut off in its header', Buffer.alloc(20)],
    ['nothing but zeros', Buffer.alloc(100_000)],
  ])('is that of the file alone when its log is %s', async (_name, bytes) => {
    await (await createSqliteStore({ file })).close();
    await writeFile(`${file}-wal`, bytes);
    expect(peekVersion(file)).toBe(migrations.length);
  });

  test('of a folder is 0', () => {
    expect(peekVersion(folder)).toBe(0);
  });
});
