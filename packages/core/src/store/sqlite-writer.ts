import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Json } from '../contracts/json.ts';
import type { Message } from '../contracts/message.ts';
import type { RecordEntry } from '../contracts/record-entry.ts';
import type { StoredTurn } from '../contracts/store.ts';
import { text } from '../contracts/texts/text.ts';
import type { TurnStatus } from '../contracts/turn-event.ts';
import { ROWS_PER_TURN } from './migrations.ts';
import { StoreError } from './store-error.ts';
import { toStoredKey } from './stored-key.ts';
import { keyBytes, totalsAfter, type ValueTotals } from './value-totals.ts';

/**
 * The greatest `end_order` that the session `:session` ever gave out: that of its last turn, or what its last reset
 * remembers of it should those turns be gone.
 */
const LAST_END = `max(
  coalesce((SELECT max(end_order) FROM turn WHERE session_key = :session AND end_order IS NOT NULL), 0),
  (SELECT history_start FROM session WHERE key = :session))`;

/** The writes of one connection, each a transaction of statements that were prepared once. */
export class SqliteWriter {
  readonly #database: DatabaseSync;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #touchSession: StatementSync;
  readonly #insertTurn: StatementSync;
  readonly #findTurn: StatementSync;
  readonly #insertMessage: StatementSync;
  readonly #insertEntry: StatementSync;
  readonly #endTurn: StatementSync;
  readonly #forgetTurns: StatementSync;
  readonly #resetSession: StatementSync;
  readonly #deleteValues: StatementSync;
  readonly #findTotals: StatementSync;
  readonly #findValueBytes: StatementSync;
  readonly #setTotals: StatementSync;
  readonly #setValue: StatementSync;
  readonly #deleteValue: StatementSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    // IMMEDIATE: a transaction that begins as a reader cannot wait for its turn to write, it fails.
    this.#begin = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
    this.#touchSession = database.prepare(
      `INSERT INTO session (key, created_at, updated_at, turns) VALUES (:key, :at, :at, :turns)
       ON CONFLICT (key) DO UPDATE SET updated_at = max(updated_at, :at), turns = turns + :turns`,
    );
    this.#insertTurn = database.prepare(
      `INSERT INTO turn (id, session_key, status, started_at, holder, chars) VALUES (?, ?, ?, ?, ?, 0)
       ON CONFLICT (id) DO NOTHING`,
    );
    this.#findTurn = database.prepare('SELECT number, session_key, status FROM turn WHERE id = ?');
    const next = (table: string) =>
      `(SELECT coalesce(max(number), :first - 1) + 1 FROM ${table} WHERE number BETWEEN :first AND :last)`;
    this.#insertMessage = database.prepare(
      `INSERT INTO message (number, chars, body) VALUES (${next('message')}, :chars, :body)`,
    );
    this.#insertEntry = database.prepare(
      `INSERT INTO record_entry (number, kind, at, body) VALUES (${next('record_entry')}, :kind, :at, :body)`,
    );
    this.#endTurn = database.prepare(
      `UPDATE turn SET status = :status, ended_at = :at,
         chars = (SELECT coalesce(sum(chars), 0) FROM message WHERE number BETWEEN :first AND :last),
         end_order = CASE forgotten WHEN 0 THEN ${LAST_END} + 1 ELSE 0 END
       WHERE number = :number`,
    );
    this.#forgetTurns = database.prepare(
      'UPDATE turn SET forgotten = 1 WHERE session_key = ? AND end_order IS NULL AND forgotten = 0',
    );
    this.#resetSession = database.prepare(
      `UPDATE session SET history_start = ${LAST_END}, value_count = 0, value_bytes = 0, updated_at = max(updated_at, :at)
       WHERE key = :session`,
    );
    this.#deleteValues = database.prepare('DELETE FROM session_value WHERE session_key = ?');
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
  }

  beginTurn(turn: StoredTurn, messages: readonly Message[], entries: readonly RecordEntry[]): void {
    const sessionKey = toStoredKey(turn.sessionKey);
    this.#inTransaction(() => {
      this.#touchSession.run({ key: sessionKey, at: turn.startedAt, turns: 1 });
      const { changes, lastInsertRowid } = this.#insertTurn.run(
        toStoredKey(turn.id),
        sessionKey,
        turn.status,
        turn.startedAt,
        turn.holder,
      );
      if (changes === 0) throw new StoreError('TURN_EXISTS', text('store.turn-exists', { turn: turn.id }));
      this.#insert(Number(lastInsertRowid), messages, entries);
    });
  }

  append(turnId: string, messages: readonly Message[], entries: readonly RecordEntry[]): void {
    this.#inTransaction(() => {
      this.#insert(this.#runningTurn(turnId).number, messages, entries);
    });
  }

  endTurn(
    turnId: string,
    status: TurnStatus,
    at: number,
    messages: readonly Message[],
    entries: readonly RecordEntry[],
  ): void {
    this.#inTransaction(() => {
      const { number, session } = this.#runningTurn(turnId);
      this.#insert(number, messages, entries);
      this.#endTurn.run({ status, at, session, number, ...rowsOf(number) });
      this.#touchSession.run({ key: session, at, turns: 0 });
    });
  }

  /** False: there is no such session. */
  resetSession(sessionKey: string, at: number): boolean {
    const session = toStoredKey(sessionKey);
    let exists = false;
    this.#inTransaction(() => {
      exists = this.#resetSession.run({ session, at }).changes !== 0;
      if (!exists) return;
      this.#forgetTurns.run(session);
      this.#deleteValues.run(session);
    });
    return exists;
  }

  setValue(sessionKey: string, key: string, value: Json, at: number): void {
    const session = toStoredKey(sessionKey);
    const storedKey = toStoredKey(key);
    const json = JSON.stringify(value);
    this.#inTransaction(() => {
      const removed = this.#valueBytes(session, storedKey);
      const totals = totalsAfter(this.#totals(session), key, removed, Buffer.byteLength(json));
      this.#setValue.run(session, storedKey, json);
      this.#setTotals.run({ session, at, ...totals });
    });
  }

  deleteValue(sessionKey: string, key: string, at: number): void {
    const session = toStoredKey(sessionKey);
    const storedKey = toStoredKey(key);
    this.#inTransaction(() => {
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

  #inTransaction(write: () => void): void {
    this.#begin.run();
    try {
      write();
      this.#commit.run();
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  #runningTurn(turnId: string): { readonly number: number; readonly session: string } {
    const row = this.#findTurn.get(toStoredKey(turnId));
    if (row === undefined) throw new StoreError('UNKNOWN_TURN', text('store.unknown-turn', { turn: turnId }));
    if (row.status !== 'running') throw new StoreError('TURN_ENDED', text('store.turn-ended', { turn: turnId }));
    return { number: Number(row.number), session: String(row.session_key) };
  }

  #insert(turn: number, messages: readonly Message[], entries: readonly RecordEntry[]): void {
    const rows = rowsOf(turn);
    for (const message of messages) {
      const body = JSON.stringify(message);
      this.#insertMessage.run({ ...rows, chars: body.length, body });
    }
    for (const { kind, at, body } of entries) {
      this.#insertEntry.run({ ...rows, kind, at, body: JSON.stringify(body) });
    }
  }
}

/** The numbers that the messages and record entries of a turn have. */
function rowsOf(turn: number): { readonly first: number; readonly last: number } {
  const first = turn * ROWS_PER_TURN;
  return { first, last: first + ROWS_PER_TURN - 1 };
}
