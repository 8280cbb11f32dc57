import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Json } from '../contracts/json.ts';
import type { Failpoint } from '../contracts/turn-machine.ts';
import { LAST_END } from './last-end.ts';
import { ROWS_PER_TURN } from './migrations.ts';
import { SqliteRows } from './sqlite-rows.ts';
import { StoreRules } from './store-rules.ts';
import { toStoredKey } from './stored-key.ts';
import { TransitionLog } from './transition-log.ts';
import { keyBytes, totalsAfter, type ValueTotals } from './value-totals.ts';

/**
 * What only turns under way need, of turns that ended before `:before`. From there to the turns, never the other way: the
 * turns of a store only grow in number.
 */
const ERASE = [
  `DELETE FROM call WHERE EXISTS (
     SELECT 1 FROM turn WHERE turn.number = call.number / ${ROWS_PER_TURN} AND ended_at < :before)`,
  'DELETE FROM ask WHERE EXISTS (SELECT 1 FROM turn WHERE turn.id = ask.turn_id AND ended_at < :before)',
  `DELETE FROM reply
     WHERE state = 'delivered' AND EXISTS (SELECT 1 FROM turn WHERE turn.id = reply.turn_id AND ended_at < :before)`,
  'DELETE FROM inbox WHERE EXISTS (SELECT 1 FROM turn WHERE turn.id = inbox.turn_id AND ended_at < :before)',
  'DELETE FROM doubt WHERE at < :before',
  'DELETE FROM approval_grant WHERE at < :before',
];

/** The writes of one connection, each a transaction of statements that were prepared once. */
export class SqliteWriter {
  readonly #database: DatabaseSync;
  readonly #isLazy: boolean;
  readonly #failpoint: ((name: Failpoint) => void) | undefined;
  readonly #rows: SqliteRows;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #forgetTurns: StatementSync;
  readonly #resetSession: StatementSync;
  readonly #deleteOfSession: readonly StatementSync[];
  readonly #findTotals: StatementSync;
  readonly #findValueBytes: StatementSync;
  readonly #setTotals: StatementSync;
  readonly #setValue: StatementSync;
  readonly #deleteValue: StatementSync;
  readonly #beat: StatementSync;
  readonly #forgetProcesses: StatementSync;

  /** `isLazy`: nothing waits for the disk. */
  constructor(database: DatabaseSync, isLazy: boolean, failpoint: ((name: Failpoint) => void) | undefined) {
    this.#database = database;
    this.#isLazy = isLazy;
    this.#failpoint = failpoint;
    this.#rows = new SqliteRows(database);
    // IMMEDIATE: a transaction that begins as a reader cannot wait for its turn to write, it fails.
    this.#begin = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
    this.#forgetTurns = database.prepare(
      'UPDATE turn SET forgotten = 1 WHERE session_key = ? AND end_order IS NULL AND forgotten = 0',
    );
    this.#resetSession = database.prepare(
      `UPDATE session SET history_start = ${LAST_END}, value_count = 0, value_bytes = 0, updated_at = max(updated_at, :at)
       WHERE key = :session`,
    );
    this.#deleteOfSession = ['session_value', 'approval_grant', 'doubt'].map((table) =>
      database.prepare(`DELETE FROM ${table} WHERE session_key = ?`),
    );
    this.#findTotals = database.prepare('SELECT value_count, value_bytes FROM session WHERE key = ?');
    // Found in the head of the row; the value itself is not read.
    this.#findValueBytes = database.prepare(
      'SELECT octet_length(value) AS bytes FROM session_value WHERE session_key = ? AND key = ?',
    );
    this.#setTotals = database.prepare(
      `INSERT INTO session (key, created_at, updated_at, turns, value_count, value_bytes)
         VALUES (:session, :at, :at, 0, :count, :bytes)
       ON CONFLICT (key) DO UPDATE
         SET updated_at = max(updated_at, :at), value_count = :count, value_bytes = :bytes`,
    );
    this.#setValue = database.prepare(
      `INSERT INTO session_value (session_key, key, value) VALUES (?, ?, ?)
       ON CONFLICT (session_key, key) DO UPDATE SET value = excluded.value`,
    );
    this.#deleteValue = database.prepare('DELETE FROM session_value WHERE session_key = ? AND key = ?');
    this.#beat = database.prepare(
      'INSERT INTO process (holder, beat_at) VALUES (?, ?) ON CONFLICT (holder) DO UPDATE SET beat_at = excluded.beat_at',
    );
    this.#forgetProcesses = database.prepare('DELETE FROM process WHERE beat_at >= 0 AND beat_at < ?');
  }

  /** One transaction under the rules of every store. `durable`: on disk when it returns, all before it included. */
  change<Result>(durable: boolean, work: (rules: StoreRules, rows: SqliteRows) => Result): Result {
    const log = new TransitionLog(this.#failpoint);
    const result = this.#inTransaction(durable, () => {
      const done = work(new StoreRules(this.#rows, log), this.#rows);
      log.before();
      return done;
    });
    log.after();
    return result;
  }

  beat(holder: string, at: number, forgetBefore: number): void {
    this.#inTransaction(false, () => {
      this.#beat.run(holder, at);
      this.#forgetProcesses.run(forgetBefore);
    });
  }

  erase(before: number): void {
    this.#inTransaction(false, () => {
      for (const one of ERASE) this.#database.prepare(one).run({ before });
    });
  }

  /** False: there is no such session. */
  resetSession(sessionKey: string, at: number): boolean {
    const session = toStoredKey(sessionKey);
    let exists = false;
    this.#inTransaction(true, () => {
      exists = this.#resetSession.run({ session, at }).changes !== 0;
      if (!exists) return;
      this.#forgetTurns.run(session);
      for (const statement of this.#deleteOfSession) statement.run(session);
    });
    return exists;
  }

  setValue(sessionKey: string, key: string, value: Json, at: number): void {
    const session = toStoredKey(sessionKey);
    const storedKey = toStoredKey(key);
    const json = JSON.stringify(value);
    this.#inTransaction(false, () => {
      const removed = this.#valueBytes(session, storedKey);
      const totals = totalsAfter(this.#totals(session), key, removed, Buffer.byteLength(json));
      this.#setValue.run(session, storedKey, json);
      this.#setTotals.run({ session, at, ...totals });
    });
  }

  deleteValue(sessionKey: string, key: string, at: number): void {
    const session = toStoredKey(sessionKey);
    const storedKey = toStoredKey(key);
    this.#inTransaction(false, () => {
      const removed = this.#valueBytes(session, storedKey);
      if (removed === undefined) return;
      const { count, bytes } = this.#totals(session);
      this.#deleteValue.run(session, storedKey);
      this.#setTotals.run({ session, at, count: count - 1, bytes: bytes - keyBytes(key) - removed });
    });
  }

  #totals(session: string): ValueTotals {
    const row = this.#findTotals.get(session);
    return { count: Number(row?.value_count ?? 0), bytes: Number(row?.value_bytes ?? 0) };
  }

  #valueBytes(session: string, key: string): number | undefined {
    const row = this.#findValueBytes.get(session, key);
    return row === undefined ? undefined : Number(row.bytes);
  }

  /**
   * One connection for both kinds of commits: with two of them each had to read again what the other one wrote. How a
   * commit waits for the disk is chosen before it, as SQLite allows outside of transactions only.
   */
  #inTransaction<Result>(durable: boolean, write: () => Result): Result {
    const waits = durable && !this.#isLazy;
    if (waits) this.#database.exec('PRAGMA synchronous = FULL');
    try {
      this.#begin.run();
      const result = write();
      this.#commit.run();
      return result;
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    } finally {
      if (waits) this.#database.exec('PRAGMA synchronous = NORMAL');
    }
  }
}
