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
         end_order =
           (SELECT coalesce(max(end_order), 0) + 1 FROM turn WHERE session_key = :session AND end_order IS NOT NULL)
       WHERE number = :number`,
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

  setValue(sessionKey: string, key: string, value: Json): void {
    this.#setValue.run(toStoredKey(sessionKey), toStoredKey(key), JSON.stringify(value));
  }

  deleteValue(sessionKey: string, key: string): void {
    this.#deleteValue.run(toStoredKey(sessionKey), toStoredKey(key));
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
