import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { text } from '../contracts/texts/text.ts';
import { copyDatabase, copyName } from './copy-database.ts';
import { APPLICATION_ID } from './migrations.ts';
import { resultCode } from './result-code.ts';
import { StoreError } from './store-error.ts';

/** How long one process waits for another one's copy and migration, in milliseconds: large files take their time. */
const WAIT_MS = 120_000;
const SQLITE_BUSY = 5;

export interface Migration {
  readonly file: string;
  readonly database: DatabaseSync;
  /** Entry n brings the file from version n to n + 1. */
  readonly steps: readonly string[];
  /** The version of the file as it is now; throws when the file is not to be touched. */
  readonly identify: () => number;
  /** One more connection to the file. */
  readonly connect: () => DatabaseSync;
}

/**
 * Brings a store file up to date in one transaction, after a copy when there is something to lose (version 1 and up).
 * The write lock is held from before the copy until the end: the copy is what the migration began with, and of several
 * processes one does it while the others wait.
 *
 * Throws a `StoreError`, the file being as it was: `COPY_FAILED`, `MIGRATION_FAILED`, and what `identify` throws.
 */
export async function migrate({ file, database, steps, identify, connect }: Migration): Promise<void> {
  await beginWrite(database);
  try {
    const from = identify();
    // Another process may have been first while this one waited for its turn.
    if (from < steps.length) {
      const copy = from === 0 ? undefined : makeCopy(file, from, steps.length, connect);
      try {
        for (const step of steps.slice(from)) database.exec(step);
        database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${steps.length}`);
        database.exec('COMMIT');
      } catch (error) {
        if (copy === undefined) throw error;
        const values = { file, from, to: steps.length, copy, reason: reasonOf(error) };
        throw new StoreError('MIGRATION_FAILED', text('store.migration-failed', values), error);
      }
    }
  } finally {
    if (database.isTransaction) database.exec('ROLLBACK');
  }
}

function makeCopy(file: string, from: number, to: number, connect: () => DatabaseSync): string {
  const copy = copyName(file, from, new Date());
  const reader = connect();
  try {
    return copyDatabase(reader, file, from, copy);
  } catch (error) {
    const values = { file, from, to, copy, reason: reasonOf(error), bytes: statSync(file).size };
    throw new StoreError('COPY_FAILED', text('store.copy-failed', values), error);
  } finally {
    reader.close();
  }
}

/** Waits beyond the busy timeout of the connection, which is meant for transactions of everyday size. */
async function beginWrite(database: DatabaseSync): Promise<void> {
  const giveUpAt = Date.now() + WAIT_MS;
  for (;;) {
    try {
      database.exec('BEGIN IMMEDIATE');
      return;
    } catch (error) {
      if (resultCode(error) !== SQLITE_BUSY || Date.now() > giveUpAt) throw error;
    }
    await sleep(10);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
