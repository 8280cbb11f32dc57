import type { SQLOutputValue, StatementSync } from 'node:sqlite';
import type { Json } from '../contracts/json.ts';
import type { Message } from '../contracts/message.ts';
import type { RecordEntry } from '../contracts/record-entry.ts';
import type { Store, StoredSession, StoredTurn } from '../contracts/store.ts';
import { text } from '../contracts/texts/text.ts';
import type { TurnStatus } from '../contracts/turn-event.ts';
import { HISTORY_TURNS } from './history-turns.ts';
import { isHolderAlive } from './is-holder-alive.ts';
import { ROWS_PER_TURN } from './migrations.ts';
import type { Connections } from './open-database.ts';
import { rowLimit } from './row-limit.ts';
import { SqliteWriter } from './sqlite-writer.ts';
import { StoreError } from './store-error.ts';
import { fromStoredKey, toStoredKey } from './stored-key.ts';

type Row = Record<string, SQLOutputValue>;

const SESSION_COLUMNS = 'key, created_at, updated_at, turns';
const TURN_COLUMNS = 'id, session_key, status, started_at, ended_at, holder';

/** The store behind {@link createSqliteStore}. */
export class SqliteStore implements Store {
  readonly holder: string;
  readonly #file: string;
  readonly #connections: Connections;
  readonly #writer: SqliteWriter;
  readonly #durableWriter: SqliteWriter;
  readonly #historyTurns: StatementSync;
  readonly #messageBodies: StatementSync;
  readonly #runningTurns: StatementSync;
  readonly #turn: StatementSync;
  readonly #session: StatementSync;
  readonly #value: StatementSync;
  #closed = false;

  constructor(file: string, connections: Connections, holder: string) {
    this.holder = holder;
    this.#file = file;
    this.#connections = connections;
    this.#writer = new SqliteWriter(connections.main);
    this.#durableWriter = new SqliteWriter(connections.durable);
    const { main } = connections;
    this.#historyTurns = main.prepare(HISTORY_TURNS);
    // One statement for any number of turns: a statement for each costs several times as much.
    this.#messageBodies = main.prepare(
      `SELECT message.body FROM json_each(?) AS wanted CROSS JOIN message
         ON message.number BETWEEN wanted.value * ${ROWS_PER_TURN} AND (wanted.value + 1) * ${ROWS_PER_TURN} - 1
       ORDER BY wanted.key, message.number`,
    );
    this.#runningTurns = main.prepare(
      `SELECT ${TURN_COLUMNS} FROM turn WHERE session_key = ? AND end_order IS NULL ORDER BY number`,
    );
    this.#turn = main.prepare(`SELECT number, ${TURN_COLUMNS} FROM turn WHERE id = ?`);
    this.#session = main.prepare(`SELECT ${SESSION_COLUMNS} FROM session WHERE key = ?`);
    this.#value = main.prepare('SELECT value FROM session_value WHERE session_key = ? AND key = ?');
  }

  async beginTurn(turn: StoredTurn, messages: readonly Message[], entries: readonly RecordEntry[]): Promise<void> {
    this.#guard(() => this.#writer.beginTurn(turn, messages, entries));
  }

  async append(
    turnId: string,
    messages: readonly Message[],
    entries: readonly RecordEntry[],
    durable: boolean,
  ): Promise<void> {
    const writer = durable ? this.#durableWriter : this.#writer;
    this.#guard(() => writer.append(turnId, messages, entries));
  }

  async endTurn(
    turnId: string,
    status: TurnStatus,
    at: number,
    messages: readonly Message[],
    entries: readonly RecordEntry[],
  ): Promise<void> {
    this.#guard(() => this.#durableWriter.endTurn(turnId, status, at, messages, entries));
  }

  async history(sessionKey: string, maxTurns: number, maxChars: number): Promise<readonly Message[]> {
    return this.#guard(() => {
      const turns: number[] = [];
      let chars = 0;
      for (const row of this.#historyTurns.all(toStoredKey(sessionKey), rowLimit(maxTurns))) {
        // One that is too big by itself must not hide all that came before it.
        if (Number(row.chars) > maxChars) continue;
        chars += Number(row.chars);
        if (chars > maxChars) break;
        turns.push(Number(row.number));
      }
      return this.#bodies(turns.reverse());
    });
  }

  async abandonedTurns(
    sessionKey: string,
    isRunning: (turnId: string) => boolean = () => true,
  ): Promise<readonly StoredTurn[]> {
    return this.#guard(() =>
      this.#runningTurns
        .all(toStoredKey(sessionKey))
        .map(toTurn)
        .filter((turn) => (turn.holder === this.holder ? !isRunning(turn.id) : !isHolderAlive(turn.holder))),
    );
  }

  async turn(turnId: string): Promise<StoredTurn | undefined> {
    return this.#guard(() => {
      const row = this.#turn.get(toStoredKey(turnId));
      return row === undefined ? undefined : toTurn(row);
    });
  }

  async messages(turnId: string): Promise<readonly Message[]> {
    return this.#guard(() => {
      const row = this.#turn.get(toStoredKey(turnId));
      return row === undefined ? [] : this.#bodies([Number(row.number)]);
    });
  }

  async record(turnId: string): Promise<readonly RecordEntry[]> {
    return this.#guard(() =>
      this.#connections.main
        .prepare(
          `SELECT entry.kind, entry.at, entry.body FROM turn CROSS JOIN record_entry AS entry
             ON entry.number BETWEEN turn.number * ${ROWS_PER_TURN} AND (turn.number + 1) * ${ROWS_PER_TURN} - 1
           WHERE turn.id = ? ORDER BY entry.number`,
        )
        .all(toStoredKey(turnId))
        .map((row) => ({
          kind: String(row.kind),
          at: Number(row.at),
          body: JSON.parse(String(row.body)) as Json,
        })),
    );
  }

  async turns(sessionKey: string | undefined, limit: number): Promise<readonly StoredTurn[]> {
    return this.#guard(() => {
      const { main } = this.#connections;
      const rows =
        sessionKey === undefined
          ? main.prepare(`SELECT ${TURN_COLUMNS} FROM turn ORDER BY number DESC LIMIT ?`).all(rowLimit(limit))
          : main
              .prepare(`SELECT ${TURN_COLUMNS} FROM turn WHERE session_key = ? ORDER BY number DESC LIMIT ?`)
              .all(toStoredKey(sessionKey), rowLimit(limit));
      return rows.map(toTurn);
    });
  }

  async sessions(limit: number): Promise<readonly StoredSession[]> {
    return this.#guard(() =>
      this.#connections.main
        .prepare(`SELECT ${SESSION_COLUMNS} FROM session ORDER BY updated_at DESC, created_at DESC, key DESC LIMIT ?`)
        .all(rowLimit(limit))
        .map(toSession),
    );
  }

  async session(key: string): Promise<StoredSession | undefined> {
    return this.#guard(() => {
      const row = this.#session.get(toStoredKey(key));
      return row === undefined ? undefined : toSession(row);
    });
  }

  async resetSession(sessionKey: string, at: number): Promise<boolean> {
    return this.#guard(() => this.#durableWriter.resetSession(sessionKey, at));
  }

  async getValue(sessionKey: string, key: string): Promise<Json | undefined> {
    return this.#guard(() => {
      const row = this.#value.get(toStoredKey(sessionKey), toStoredKey(key));
      return row === undefined ? undefined : (JSON.parse(String(row.value)) as Json);
    });
  }

  async setValue(sessionKey: string, key: string, value: Json, at = Date.now()): Promise<void> {
    this.#guard(() => this.#writer.setValue(sessionKey, key, value, at));
  }

  async deleteValue(sessionKey: string, key: string, at = Date.now()): Promise<void> {
    this.#guard(() => this.#writer.deleteValue(sessionKey, key, at));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#connections.durable.close();
    this.#connections.main.close();
  }

  #bodies(turns: readonly number[]): Message[] {
    return this.#messageBodies.all(JSON.stringify(turns)).map((row) => JSON.parse(String(row.body)) as Message);
  }

  /** Whatever SQLite complains of reaches the caller as a `StoreError` that says what it means. */
  #guard<T>(work: () => T): T {
    if (this.#closed) throw new StoreError('CLOSED', text('store.closed'));
    try {
      return work();
    } catch (error) {
      const isOurs = (error as { readonly code?: unknown }).code === 'ERR_SQLITE_ERROR' || error instanceof SyntaxError;
      if (!isOurs) throw error;
      const reason = (error as Error).message;
      throw new StoreError('FAILED', text('store.failed', { file: this.#file, reason }), error);
    }
  }
}

function toSession(row: Row): StoredSession {
  return {
    key: fromStoredKey(String(row.key)),
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
    turns: Number(row.turns),
  };
}

function toTurn(row: Row): StoredTurn {
  const turn = {
    id: fromStoredKey(String(row.id)),
    sessionKey: fromStoredKey(String(row.session_key)),
    status: String(row.status) as StoredTurn['status'],
    startedAt: Number(row.started_at),
    holder: String(row.holder),
  };
  return row.ended_at === null ? turn : { ...turn, endedAt: Number(row.ended_at) };
}
