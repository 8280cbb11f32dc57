import { resolve } from 'node:path';
import type { Store } from '../contracts/store.ts';
import { text } from '../contracts/texts/text.ts';
import type { Failpoint } from '../contracts/turn-machine.ts';
import { createHolder } from './create-holder.ts';
import { openDatabase } from './open-database.ts';
import { resultCode } from './result-code.ts';
import { SqliteStore } from './sqlite-store.ts';
import { StoreError } from './store-error.ts';

export interface SqliteStoreOptions {
  /** The database file. It and its folder are made when missing, readable by their owner only. */
  readonly file: string;
  /** `lazy`: nothing waits for the disk, so that a power cut may lose the last moments. Default `full`. */
  readonly durability?: 'full' | 'lazy';
  /** Told at each transition, before and behind its commit: `createFailpoint`, for tests. */
  readonly failpoint?: (name: Failpoint) => void;
  /** Does the process that a holder names still run? Default: this machine is asked. */
  readonly isAlive?: (holder: string) => boolean;
}

/**
 * A store in one SQLite file. Several processes may use the same file at once; one waits up to 5 s for another.
 * What was acknowledged outlives the process (`kill -9` included); what was `durable`, and the end of every turn, also
 * outlives a power cut.
 *
 * A file of an older version is brought up to date in one transaction, after a copy: `<file>.v<version>-<UTC time>.bak`
 * beside it, which nothing removes.
 *
 * Rejects with a `StoreError` (`NOT_A_STORE`, `TOO_NEW`, `COPY_FAILED`, `MIGRATION_FAILED`, `CANNOT_OPEN`) and leaves a
 * file alone that is not its own, that a newer version wrote, or that could not be brought up to date.
 *
 * @example
 * const store = await createSqliteStore({ file: '.baigong/store.db' });
 */
export async function createSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  // An absolute path can be neither SQLite's `:memory:` nor a `file:` address.
  const file = resolve(options.file);
  const { durability, failpoint, isAlive } = options;
  const database = await openDatabase(file);
  try {
    return new SqliteStore({
      file,
      database,
      isLazy: durability === 'lazy',
      holder: createHolder(),
      failpoint,
      isAlive,
    });
  } catch (error) {
    // What is damaged may show only when its tables are read.
    database.close();
    if (resultCode(error) === undefined) throw error;
    throw new StoreError('CANNOT_OPEN', text('store.damaged', { file }), error);
  }
}
