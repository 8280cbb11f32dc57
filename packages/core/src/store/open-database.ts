import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { text } from '../contracts/texts/text.ts';
import { migrate } from './migrate.ts';
import { APPLICATION_ID, migrations } from './migrations.ts';
import { peekVersion } from './peek-version.ts';
import { prepareFolder } from './prepare-folder.ts';
import { resultCode } from './result-code.ts';
import { StoreError } from './store-error.ts';

/** How long one process waits for another one's transaction, in milliseconds. */
const BUSY_TIMEOUT_MS = 5_000;
const SQLITE_BUSY = 5;
const SQLITE_NOTADB = 26;
const SQLITE_CORRUPT = 11;

export interface OpenDatabaseOptions {
  /** The schema, step by step; all of {@link migrations} when left out. */
  readonly migrations?: readonly string[];
}

/**
 * Opens (or makes) a store file: folder 0700 and file 0600 when they are new, checked and brought up to date before
 * anything is written to it. A file of an older version is copied first, to `<file>.v<version>-<UTC time>.bak`.
 *
 * Throws a `StoreError`: `NOT_A_STORE`, `TOO_NEW`, `COPY_FAILED`, `MIGRATION_FAILED` or `CANNOT_OPEN`. A file that is
 * refused is left as it was.
 *
 * @example
 * const database = await openDatabase('/var/lib/bot/store.db');
 */
export async function openDatabase(file: string, options: OpenDatabaseOptions = {}): Promise<DatabaseSync> {
  const steps = options.migrations ?? migrations;
  const { DatabaseSync } = await import('node:sqlite');
  const opened: DatabaseSync[] = [];
  const connect = (): DatabaseSync => {
    const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
    opened.push(database);
    return database;
  };
  try {
    prepareFolder(file);
    demandKnown(peekVersion(file), steps.length, file);
    createFile(file);
    const main = connect();
    const check = () => identify(main, steps.length, file);
    if (check() < steps.length) await migrate({ file, database: main, steps, identify: check, connect });
    await useWriteAheadLog(main);
    main.exec('PRAGMA synchronous = NORMAL');
    return main;
  } catch (error) {
    for (const database of opened) if (database.isOpen) database.close();
    if (StoreError.isInstance(error)) throw error;
    if (resultCode(error) === SQLITE_CORRUPT) {
      throw new StoreError('CANNOT_OPEN', text('store.damaged', { file }), error);
    }
    if (resultCode(error) === SQLITE_NOTADB) {
      throw new StoreError('NOT_A_STORE', text('store.not-a-database', { file }), error);
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreError('CANNOT_OPEN', text('store.cannot-open', { file, reason }), error);
  }
}

function createFile(file: string): void {
  if (existsSync(file)) return;
  // SQLite gives its companion files the mode of the database, so this one decides for all of them.
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
}

/** The version of the file; 0 for an empty one. Reads only. */
function identify(database: DatabaseSync, known: number, file: string): number {
  const version = pragma(database, 'user_version');
  const isEmpty = database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
  if (isEmpty && version === 0) return 0;
  if (pragma(database, 'application_id') !== APPLICATION_ID) {
    throw new StoreError('NOT_A_STORE', text('store.foreign-database', { file }));
  }
  demandKnown(version, known, file);
  return version;
}

function demandKnown(found: number, known: number, file: string): void {
  if (found > known) throw new StoreError('TOO_NEW', text('store.too-new', { file, found, known }));
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
