import { createHmac } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Answer, StoredAsk } from '../contracts/ask.ts';
import type { Json } from '../contracts/json.ts';
import type { Message } from '../contracts/message.ts';
import type { RecordEntry } from '../contracts/record-entry.ts';
import type { StoredReply } from '../contracts/reply.ts';
import type {
  Answered,
  AskQuery,
  Claimed,
  Grant,
  Lease,
  NewTurn,
  OpenTurnQuery,
  Store,
  StoredSession,
  Taken,
  TurnChange,
} from '../contracts/store.ts';
import type { StoredCall, StoredTurn, TurnCancel } from '../contracts/stored-turn.ts';
import { text } from '../contracts/texts/text.ts';
import type { Failpoint } from '../contracts/turn-machine.ts';
import { HISTORY_TURNS } from './history-turns.ts';
import { isHolderAlive } from './is-holder-alive.ts';
import { LEFT, type LeaseFacts } from './lease-rules.ts';
import { ROWS_PER_TURN } from './migrations.ts';
import { rowLimit } from './row-limit.ts';
import type { TurnRow } from './rows.ts';
import { SqliteReplies } from './sqlite-replies.ts';
import { type SqliteRow, SqliteRows, TURN_COLUMNS, toTurnRow } from './sqlite-rows.ts';
import { SqliteWriter } from './sqlite-writer.ts';
import { StoreError } from './store-error.ts';
import { ApprovalGone, isDoubtedIn, resumableOf, type StoreRules } from './store-rules.ts';
import { fromStoredKey, toStoredKey } from './stored-key.ts';
import { Wakes } from './wakes.ts';

const SESSION_COLUMNS = 'key, created_at, updated_at, turns';

/** How often it is looked whether another connection changed the file. Milliseconds. */
const POLL_MS = 200;

/** Processes that were not heard of for so long are forgotten. Milliseconds. */
const FORGET_PROCESS_MS = 3_600_000;

export interface SqliteStoreParts {
  readonly file: string;
  readonly database: DatabaseSync;
  /** Nothing waits for the disk. */
  readonly isLazy: boolean;
  readonly holder: string;
  readonly isAlive?: ((holder: string) => boolean) | undefined;
  readonly failpoint?: ((name: Failpoint) => void) | undefined;
}

/** The store behind {@link createSqliteStore}. */
export class SqliteStore implements Store {
  readonly holder: string;
  readonly #file: string;
  readonly #database: DatabaseSync;
  readonly #isAlive: (holder: string) => boolean;
  readonly #rows: SqliteRows;
  readonly #writer: SqliteWriter;
  readonly #key: Uint8Array;
  readonly #historyTurns: StatementSync;
  readonly #messageBodies: StatementSync;
  readonly #session: StatementSync;
  readonly #value: StatementSync;
  readonly #dataVersion: StatementSync;
  readonly #replies: SqliteReplies;
  readonly #wakes = new Wakes();
  #poll: NodeJS.Timeout | undefined;
  #seenVersion = 0;
  #closed = false;

  constructor({ file, database: main, isLazy, holder, isAlive = isHolderAlive, failpoint }: SqliteStoreParts) {
    this.holder = holder;
    this.#file = file;
    this.#database = main;
    this.#isAlive = isAlive;
    this.#writer = new SqliteWriter(main, isLazy, failpoint);
    this.#rows = new SqliteRows(main);
    this.#replies = new SqliteReplies(main, this.#rows, this.#writer);
    this.#key = main.prepare("SELECT value FROM secret WHERE name = 'hmac'").get()?.value as Uint8Array;
    this.#historyTurns = main.prepare(HISTORY_TURNS);
    // One statement for any number of turns: a statement for each costs several times as much.
    this.#messageBodies = main.prepare(
      `SELECT message.body FROM json_each(?) AS wanted CROSS JOIN message
         ON message.number BETWEEN wanted.value * ${ROWS_PER_TURN} AND (wanted.value + 1) * ${ROWS_PER_TURN} - 1
       ORDER BY wanted.key, message.number`,
    );
    this.#session = main.prepare(`SELECT ${SESSION_COLUMNS} FROM session WHERE key = ?`);
    this.#value = main.prepare('SELECT value FROM session_value WHERE session_key = ? AND key = ?');
    this.#dataVersion = main.prepare('PRAGMA data_version');
  }

  sign(content: string): string {
    return createHmac('sha256', this.#key).update(content).digest('hex');
  }

  async takeIn(turn: NewTurn, messages: readonly Message[], entries: readonly RecordEntry[]): Promise<Taken> {
    return this.#guard(() => this.#told(false, (rules) => rules.takeIn(turn, this.holder, messages, entries)));
  }

  async claim(turnId: string, at: number, isRunning: (turnId: string) => boolean): Promise<Claimed> {
    return this.#guard(() => this.#told(false, (rules) => rules.claim(turnId, this.#facts(at, isRunning))));
  }

  async commit(lease: Lease, change: TurnChange, durable: boolean): Promise<'committed' | 'approval-gone'> {
    return this.#guard(() => {
      try {
        const waits = durable || change.turn?.move === 'turn.end';
        this.#writer.change(waits, (rules) => rules.commit(lease, change));
        if (change.turn !== undefined) this.#wakes.tell();
        return 'committed';
      } catch (error) {
        if (error instanceof ApprovalGone) return 'approval-gone';
        throw error;
      }
    });
  }

  async requestCancel(turnId: string, cancel: TurnCancel): Promise<boolean> {
    return this.#guard(() => this.#told(true, (rules) => rules.requestCancel(turnId, cancel)));
  }

  async openTurns(query: OpenTurnQuery): Promise<readonly StoredTurn[]> {
    return this.#guard(() => this.#rows.openTurns(query).map(toTurn));
  }

  async resumable(project: string, at: number, isRunning: (turnId: string) => boolean): Promise<readonly StoredTurn[]> {
    return this.#guard(() => resumableOf(this.#rows, project, this.#facts(at, isRunning)).map(toTurn));
  }

  async calls(turnId: string): Promise<readonly StoredCall[]> {
    return this.#guard(() => {
      const turn = this.#rows.turn(turnId);
      return turn === undefined ? [] : this.#rows.calls(turn);
    });
  }

  async beat(at: number): Promise<void> {
    this.#guard(() => this.#writer.beat(this.holder, at, at - FORGET_PROCESS_MS));
  }

  async leave(): Promise<void> {
    this.#guard(() => {
      const leaves = this.#rows
        .openTurns({})
        .some(({ holder, status }) => holder === this.holder && status !== 'parked');
      if (leaves) this.#writer.beat(this.holder, LEFT, Date.now() - FORGET_PROCESS_MS);
    });
  }

  subscribe(wake: () => void): () => void {
    const stop = this.#wakes.add(wake);
    this.#poll ??= setInterval(() => this.#look(), POLL_MS).unref();
    return () => {
      stop();
      if (this.#wakes.size > 0) return;
      clearInterval(this.#poll);
      this.#poll = undefined;
    };
  }

  async asks(query: AskQuery): Promise<readonly StoredAsk[]> {
    return this.#guard(() => this.#rows.asks(query));
  }

  async ask(idOrCode: string): Promise<StoredAsk | undefined> {
    return this.#guard(() => {
      const found = this.#rows.ask(idOrCode);
      if (found !== undefined) return found;
      const row = this.#database
        .prepare('SELECT body FROM ask WHERE code = ?')
        .get(toStoredKey(idOrCode.trim().toUpperCase()));
      return row === undefined ? undefined : (JSON.parse(String(row.body)) as StoredAsk);
    });
  }

  async answerAsk(id: string, answer: Answer): Promise<Answered | undefined> {
    return this.#guard(() => this.#told(true, (rules) => rules.answer(id, answer)));
  }

  async overdueAsks(at: number): Promise<readonly StoredAsk[]> {
    return this.#guard(() =>
      this.#database
        .prepare("SELECT body FROM ask WHERE state = 'open' AND answer_by <= ? ORDER BY answer_by")
        .all(at)
        .map((row) => JSON.parse(String(row.body)) as StoredAsk),
    );
  }

  async isGranted(grant: Grant): Promise<boolean> {
    return this.#guard(() => this.#rows.isGranted(grant));
  }

  async isDoubted(sessionKey: string, toolKey: string, argumentsDigest: string, at: number): Promise<boolean> {
    return this.#guard(() =>
      isDoubtedIn(
        this.#rows,
        { sessionKey, toolKey, argumentsDigest },
        this.#facts(at, () => true),
      ),
    );
  }

  async replies(project: string): Promise<readonly StoredReply[]> {
    return this.#guard(() => this.#replies.list(project, this.#facts(Date.now(), nobody)));
  }

  async reply(turnId: string): Promise<StoredReply | undefined> {
    return this.#guard(() => this.#replies.find(turnId, this.#facts(Date.now(), nobody)));
  }

  async claimReply(turnId: string, again: boolean): Promise<boolean> {
    return this.#guard(() => this.#replies.claim(turnId, again, this.#facts(Date.now(), nobody)));
  }

  async settleReply(turnId: string, state: 'delivered' | 'pending'): Promise<void> {
    if (this.#guard(() => this.#replies.settle(turnId, state, this.holder))) this.#wakes.tell();
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

  async note(turnId: string, entries: readonly RecordEntry[]): Promise<void> {
    this.#guard(() => this.#writer.change(false, (rules) => rules.note(turnId, entries)));
  }

  async turn(turnId: string): Promise<StoredTurn | undefined> {
    return this.#guard(() => {
      const turn = this.#rows.turn(turnId);
      return turn === undefined ? undefined : toTurn(turn);
    });
  }

  async messages(turnId: string): Promise<readonly Message[]> {
    return this.#guard(() => {
      const turn = this.#rows.turn(turnId);
      return turn === undefined ? [] : this.#bodies([turn.number]);
    });
  }

  async record(turnId: string): Promise<readonly RecordEntry[]> {
    return this.#guard(() =>
      this.#database
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
      const main = this.#database;
      const rows =
        sessionKey === undefined
          ? main.prepare(`SELECT ${TURN_COLUMNS} FROM turn ORDER BY number DESC LIMIT ?`).all(rowLimit(limit))
          : main
              .prepare(`SELECT ${TURN_COLUMNS} FROM turn WHERE session_key = ? ORDER BY number DESC LIMIT ?`)
              .all(toStoredKey(sessionKey), rowLimit(limit));
      return rows.map((row) => toTurn(toTurnRow(row)));
    });
  }

  async sessions(limit: number): Promise<readonly StoredSession[]> {
    return this.#guard(() =>
      this.#database
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
    return this.#guard(() => this.#writer.resetSession(sessionKey, at));
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

  async erase(before: number): Promise<void> {
    this.#guard(() => this.#writer.erase(before));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#wakes.clear();
    clearInterval(this.#poll);
    this.#database.close();
  }

  #facts(at: number, isRunning: (turnId: string) => boolean): LeaseFacts {
    return { holder: this.holder, isAlive: this.#isAlive, isRunning, at };
  }

  /** A change that others want to hear of: what this connection commits does not show in its own `data_version`. */
  #told<Result>(durable: boolean, work: (rules: StoreRules) => Result): Result {
    const result = this.#writer.change(durable, work);
    this.#wakes.tell();
    return result;
  }

  /** Cheap: one number, which changes when another connection has committed. */
  #look(): void {
    let version: number;
    try {
      version = Number(this.#dataVersion.get()?.data_version);
    } catch {
      // Whoever asks for rows next is told what is wrong with the file.
      return;
    }
    if (version === this.#seenVersion) return;
    this.#seenVersion = version;
    this.#wakes.tell();
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

/** Whoever sends replies need not work on their turns. */
function nobody(): boolean {
  return false;
}

function toSession(row: SqliteRow): StoredSession {
  return {
    key: fromStoredKey(String(row.key)),
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
    turns: Number(row.turns),
  };
}

/** Without what only stores need. */
function toTurn({ number: _number, takenAt: _takenAt, ...turn }: TurnRow): StoredTurn {
  return turn;
}
