import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Json } from '../contracts/json.ts';
import type { Message } from '../contracts/message.ts';
import type { Store } from '../contracts/store.ts';
import { createSqliteStore } from './create-sqlite-store.ts';
import { beginTurn, endTurn, plainTurn } from './fixtures/plain-turns.ts';
import { HISTORY_TURNS } from './history-turns.ts';
import { migrations } from './migrations.ts';
import { openDatabase } from './open-database.ts';

const storeProcess = fileURLToPath(new URL('./fixtures/store-process.ts', import.meta.url));

let folder: string;
let file: string;
const children = new Set<ChildProcess>();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'baigong-'));
  file = join(folder, 'state', 'store.db');
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
  await rm(folder, { recursive: true });
});

/** Makes a process that waits for {@link go} before it opens the store file. */
async function startOnFile(...args: string[]): Promise<ChildProcess & { lines: string[] }> {
  const flags = ['--conditions=baigong-source', '--disable-warning=ExperimentalWarning'];
  const child = spawn(process.execPath, [...flags, storeProcess, file, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.add(child);
  const lines: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => lines.push(...chunk.trim().split('\n')));
  while (!lines.includes('ready')) await once(child.stdout, 'data');
  return Object.assign(child, { lines });
}

function go(child: ChildProcess): void {
  child.stdin?.write('go\n');
}

describe('the file', () => {
  test('and its folder are made for their owner only', async () => {
    const store = await createSqliteStore({ file });
    await store.setValue('s', 'k', 1);
    const modes = await Promise.all(
      [join(folder, 'state'), ...(await readdir(join(folder, 'state'))).map((name) => join(folder, 'state', name))].map(
        async (path) => ((await stat(path)).mode & 0o777).toString(8),
      ),
    );
    expect(modes).toEqual(['700', '600', '600', '600']);
    await store.close();
  });

  test('is a write-ahead log that another connection can read', async () => {
    const store = await createSqliteStore({ file });
    await store.setValue('s', 'k', 'v');
    const reader = new DatabaseSync(file, { readOnly: true });
    expect(reader.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    expect(reader.prepare('PRAGMA user_version').get()).toEqual({ user_version: migrations.length });
    reader.close();
    await store.close();
  });

  test('keeps everything from one opening to the next', async () => {
    const first = await createSqliteStore({ file });
    await beginTurn(first, plainTurn('t', 's'), [], [{ kind: 'k', at: 1, body: null }]);
    await first.setValue('s', 'k', 'v');
    await first.close();
    const second = await createSqliteStore({ file });
    expect(second.holder).not.toBe(first.holder);
    expect(await second.turn('t')).toMatchObject({ id: 't', sessionKey: 's', status: 'running', startedAt: 1 });
    expect(await second.record('t')).toHaveLength(1);
    expect(await second.getValue('s', 'k')).toBe('v');
    await second.close();
  });

  test('may be named like SQLite’s special names', async () => {
    const named = join(folder, ':memory:');
    const store = await createSqliteStore({ file: named });
    await store.close();
    expect((await stat(named)).size).toBeGreaterThan(0);
  });
});

describe('refuses, and leaves as it is,', () => {
  async function expectRefusal(code: string, said: readonly string[]): Promise<void> {
    const before = await readFile(file);
    const error: unknown = await createSqliteStore({ file }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'StoreError', code });
    for (const words of [file, ...said]) expect((error as Error).message).toContain(words);
    expect(await readFile(file)).toEqual(before);
  }

  beforeEach(() => mkdir(join(folder, 'state')));

  test('a file that is no database', async () => {
    await writeFile(file, 'Dear diary, '.repeat(1000));
    await expectRefusal('NOT_A_STORE', ['name another file']);
  });

  test('the database of another program', async () => {
    const other = new DatabaseSync(file);
    other.exec('CREATE TABLE diary (day TEXT); PRAGMA user_version = 1');
    other.close();
    await expectRefusal('NOT_A_STORE', ['another program']);
  });

  test('a file of a newer version', async () => {
    const store = await createSqliteStore({ file });
    await store.close();
    const newer = new DatabaseSync(file);
    newer.exec(`PRAGMA user_version = ${migrations.length + 41}`);
    newer.close();
    await expectRefusal('TOO_NEW', [String(migrations.length + 41), String(migrations.length), 'update Baigong']);
  });
});

test('says why a file cannot be opened', async () => {
  await writeFile(join(folder, 'state'), 'a file where a folder should be');
  await expect(createSqliteStore({ file })).rejects.toMatchObject({ code: 'CANNOT_OPEN' });
});

describe('with several processes', () => {
  test('that all make the file and write at once, nothing is lost', async () => {
    const names = ['a', 'b', 'c'];
    const processes = await Promise.all(names.map((name) => startOnFile('write-turns', 'shared', name, '40')));
    processes.forEach(go);
    const codes = await Promise.all(processes.map(async (child) => child.exitCode ?? (await once(child, 'exit'))[0]));
    expect(codes).toEqual([0, 0, 0]);
    const store = await createSqliteStore({ file });
    expect(await store.turns('shared', 1000)).toHaveLength(120);
    expect((await store.sessions(10)).map((session) => session.turns)).toEqual([120]);
    expect(new Set((await store.history('shared', 1000, Infinity)).map((message) => message.turnId)).size).toBe(120);
    for (const name of names) {
      expect(await store.record(`${name}-39`)).toEqual([{ kind: 'step', at: 39, body: { name, index: 39 } }]);
    }
    await store.close();
  });

  test('what was acknowledged outlives kill -9, and the turn counts as abandoned', async () => {
    const child = await startOnFile('append-and-die', 's', 'doomed', '57');
    go(child);
    if (child.signalCode === null) await once(child, 'exit');
    expect(child.signalCode).toBe('SIGKILL');
    const store = await createSqliteStore({ file });
    expect((await store.record('doomed')).map((entry) => entry.body)).toEqual(Array.from({ length: 57 }, (_, n) => n));
    expect(await lost(store)).toEqual(['doomed']);
    expect(await store.claim('doomed', 5, () => false)).toEqual({ kind: 'claimed', epoch: 2, from: 'running' });
    await endTurn(store, 'doomed', 'failed', 5, [], []);
    expect(await lost(store)).toEqual([]);
    await store.close();
  });

  test('a turn is another one’s until that process has ended', async () => {
    const child = await startOnFile('hold-turn', 's', 'held', '0');
    go(child);
    while (child.lines.length < 2) await once(child.stdout as NonNullable<typeof child.stdout>, 'data');
    const store = await createSqliteStore({ file });
    expect((await store.turn('held'))?.holder).toBe(child.lines[1]);
    expect(await lost(store)).toEqual([]);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await lost(store)).toEqual(['held']);
    await store.close();
  });
});

test('what is kept of a session’s values is what there is, whatever was written', async () => {
  const key = fc.constantFrom('a', '百工', '\ud800', '"quoted"', '');
  const write = fc.record({ session: fc.constantFrom('s', 't'), key, value: fc.option(fc.jsonValue()) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(write, { maxLength: 12 }),
      fc.integer({ min: 0, max: 12 }),
      async (writes, resetAfter) => {
        await rm(join(folder, 'state'), { recursive: true, force: true });
        const store = await createSqliteStore({ file });
        for (const [index, { session, key, value }] of writes.entries()) {
          if (index === resetAfter) await store.resetSession('s', 1);
          if (value === null) await store.deleteValue(session, key);
          else await store.setValue(session, key, value as Json);
        }
        const reader = new DatabaseSync(file, { readOnly: true });
        const totals = reader.prepare('SELECT key, value_count, value_bytes FROM session ORDER BY key').all();
        const count = reader.prepare(
          `SELECT :key AS key, count(*) AS value_count,
           coalesce(sum(octet_length(key) + octet_length(value)), 0) AS value_bytes
         FROM session_value WHERE session_key = :key`,
        );
        expect(totals).toEqual(totals.map((row) => count.get({ key: String(row.key) })));
        reader.close();
        await store.close();
      },
    ),
    { numRuns: 15 },
  );
});

test('the history is found by index, however many turns there were before it', async () => {
  const main = await openDatabase(file);
  const plan = main.prepare(`EXPLAIN QUERY PLAN ${HISTORY_TURNS}`).all('s', 1);
  expect(plan.map((row) => row.detail)).toEqual([
    'SEARCH turn USING INDEX turn_by_end (session_key=? AND end_order>?)',
    'SCALAR SUBQUERY 1',
    'SEARCH session USING PRIMARY KEY (key=?)',
  ]);
  main.close();
});

async function lost(store: Store): Promise<readonly string[]> {
  return (await store.resumable('p', Date.now(), () => true)).map(({ id }) => id);
}

test('a reset outlives the turns that it left behind', async () => {
  const store = await createSqliteStore({ file });
  const begin = (id: string) => beginTurn(store, plainTurn(id, 's'), [], []);
  const message: Message = { role: 'user', turnId: 'new', at: 1, speakerId: 'u', text: 'x' };
  for (const id of ['a', 'b']) {
    await begin(id);
    await endTurn(store, id, 'done', 1, [], []);
  }
  await store.resetSession('s', 2);
  const janitor = new DatabaseSync(file);
  janitor.exec('DELETE FROM turn');
  janitor.close();
  await begin('new');
  await endTurn(store, 'new', 'done', 3, [message], []);
  expect(await store.history('s', 10, Infinity)).toEqual([message]);
  await store.close();
});
