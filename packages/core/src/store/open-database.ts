import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { text } from '../contracts/texts/text.ts';
import { APPLICATION_ID, migrations } from './migrations.ts';
import { StoreError } from './store-error.ts';

/** How long one process waits for another one's transaction, in milliseconds. */
const BUSY_TIMEOUT_MS = 5_000;
const SQLITE_BUSY = 5;
const SQLITE_NOTADB = 26;

export interface Connections {
  /** Writes survive the end of the process. */
  readonly main: DatabaseSync;
  /** Writes are on disk when they return; what `main` wrote before goes along. */
  readonly durable: DatabaseSync;
}

/**
 * Opens (or makes) a store file: folder 0700 and file 0600 when they are new, checked and brought up to date before
 * anything is written to it.
 *
 * Throws a `StoreError`: `NOT_A_STORE`, `TOO_NEW` or `CANNOT_OPEN`. A file that is refused is left as it was.
 */
export async function openDatabase(file: string): Promise<Connections> {
  const { DatabaseSync } = await import('node:sqlite');
  const opened: DatabaseSync[] = [];
  const connect = (): DatabaseSync => {
    const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
    opened.push(database);
    return database;
  };
  try {
    createFile(file);
    const main = connect();
    const version = identify(main, file);
    if (version < migrations.length) migrate(main, file);
    await useWriteAheadLog(main);
    main.exec('PRAGMA synchronous = NORMAL');
    const durable = connect();
    durable.exec('PRAGMA synchronous = FULL');
    return { main, durable };
  } catch (error) {
    for (const database of opened) database.close();
    if (StoreError.isInstance(error)) throw error;
    if (resultCode(error) === SQLITE_NOTADB) {
      throw new StoreError('NOT_A_STORE', text('store.not-a-database', { file }), error);
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreError('CANNOT_OPEN', text('store.cannot-open', { file, reason }), error);
  }
}

function createFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  if (existsSync(file)) return;
  // SQLite gives its companion files the mode of the database, so this one decides for all of them.
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
}

/** The version of the file; 0 for an empty one. Reads only. */
function identify(database: DatabaseSync, file: string): number {
  const version = pragma(database, 'user_version');
  const isEmpty = database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
  if (isEmpty && version === 0) return 0;
  if (pragma(database, 'application_id') !== APPLICATION_ID) {
    throw new StoreError('NOT_A_STORE', text('store.foreign-database', { file }));
  }
  if (version > migrations.length) {
    const message = text('store.too-new', { file, found: version, known: migrations.length });
    throw new StoreError('TOO_NEW', message);
  }
  return version;
}

function migrate(database: DatabaseSync, file: string): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have been first while this one waited for its turn.
    for (const step of migrations.slice(identify(database, file))) database.exec(step);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migrations.length}`);
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** SQLite refuses this switch at once, without waiting, while another process is at the file. */
async function useWriteAheadLog(database: DatabaseSync): Promise<void> {
  const giveUpAt = Date.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (resultCode(error) !== SQLITE_BUSY || Date.now() > giveUpAt) throw error;
    }
    await sleep(10);
  }
}

function pragma(database: DatabaseSync, name: 'user_version' | 'application_id'): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0);
}

function resultCode(error: unknown): number | undefined {
  const { errcode } = error as { readonly errcode?: number };
  // The upper bytes of an extended code only say more of the same.
  return errcode === undefined ? undefined : errcode & 0xff;
}
