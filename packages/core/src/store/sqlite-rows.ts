import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { StoredAsk } from '../contracts/ask.ts';
import { deepFreeze } from '../contracts/deep-freeze.ts';
import type { CallId } from '../contracts/made-call.ts';
import type { Message } from '../contracts/message.ts';
import type { RecordEntry } from '../contracts/record-entry.ts';
import type { AskQuery, Grant, NewTurn, OpenTurnQuery } from '../contracts/store.ts';
import type { StoredCall, StoredTurn } from '../contracts/stored-turn.ts';
import { LAST_END } from './last-end.ts';
import { ROWS_PER_TURN } from './migrations.ts';
import type { ReplyRow, Rows, TurnRow } from './rows.ts';
import { fromStoredKey, toStoredKey } from './stored-key.ts';

export type SqliteRow = Record<string, SQLOutputValue>;

export const TURN_COLUMNS =
  'number, id, session_key, status, started_at, ended_at, holder, epoch, in_lane, project, request, active_ms, taken_at, cancel, error';

const next = (table: string) =>
  `(SELECT coalesce(max(number), :first - 1) + 1 FROM ${table} WHERE number BETWEEN :first AND :last)`;

const sql = {
  touchSession: `INSERT INTO session (key, created_at, updated_at, turns) VALUES (:key, :at, :at, :turns)
     ON CONFLICT (key) DO UPDATE SET updated_at = max(updated_at, :at), turns = turns + :turns`,
  turn: `SELECT ${TURN_COLUMNS} FROM turn WHERE id = ?`,
  insertTurn: `INSERT INTO turn (id, session_key, status, started_at, holder, chars, epoch, in_lane, project, request, active_ms, taken_at)
     VALUES (?, ?, ?, ?, ?, 0, ?, ?, ?, ?, 0, ?) ON CONFLICT (id) DO NOTHING`,
  updateTurn: `UPDATE turn SET status = ?, ended_at = ?, holder = ?, epoch = ?, active_ms = ?, taken_at = ?, cancel = ?, error = ?
     WHERE number = ?`,
  placeTurn: `UPDATE turn SET
       chars = (SELECT coalesce(sum(chars), 0) FROM message WHERE number BETWEEN :first AND :last),
       end_order = CASE forgotten WHEN 0 THEN ${LAST_END} + 1 ELSE 0 END
     WHERE number = :number`,
  openOfSession: `SELECT ${TURN_COLUMNS} FROM turn WHERE session_key = ? AND end_order IS NULL ORDER BY number`,
  running: `SELECT ${TURN_COLUMNS} FROM turn WHERE session_key = ? AND end_order IS NULL AND status = 'running'`,
  openOfProject: `SELECT ${TURN_COLUMNS} FROM turn WHERE end_order IS NULL AND project = ? ORDER BY number`,
  open: `SELECT ${TURN_COLUMNS} FROM turn WHERE end_order IS NULL ORDER BY number`,
  openCancelled: `SELECT ${TURN_COLUMNS} FROM turn WHERE end_order IS NULL AND cancel IS NOT NULL ORDER BY number`,
  ready: `SELECT ${TURN_COLUMNS} FROM turn WHERE end_order IS NULL AND project = ?
       AND (status <> 'parked' OR cancel IS NOT NULL
         OR NOT EXISTS (SELECT 1 FROM ask WHERE ask.turn_id = turn.id AND ask.state = 'open'))
     ORDER BY number`,
  insertMessage: `INSERT INTO message (number, chars, body) VALUES (${next('message')}, :chars, :body)`,
  insertEntry: `INSERT INTO record_entry (number, kind, at, body) VALUES (${next('record_entry')}, :kind, :at, :body)`,
  // The newest first: a call that changes is mostly one of the last.
  call: 'SELECT body FROM call WHERE number BETWEEN ? AND ? AND id = ? ORDER BY number DESC LIMIT 1',
  insertCall: `INSERT INTO call (number, id, body) VALUES (${next('call')}, :id, :body)`,
  updateCall: `UPDATE call SET body = ?
     WHERE number = (SELECT number FROM call WHERE number BETWEEN ? AND ? AND id = ? ORDER BY number DESC LIMIT 1)`,
  calls: 'SELECT body FROM call WHERE number BETWEEN ? AND ? ORDER BY number',
  ask: 'SELECT body FROM ask WHERE id = ?',
  // States stand in one text: none of their names is within another.
  asksOfTurn: `SELECT body FROM ask WHERE turn_id = ?2 AND (?1 IS NULL OR instr(?1, state) > 0)
     ORDER BY opened_at, rowid`,
  asksOpen: "SELECT body FROM ask WHERE state = 'open' ORDER BY opened_at, rowid",
  asks: 'SELECT body FROM ask WHERE ?1 IS NULL OR instr(?1, state) > 0 ORDER BY opened_at, rowid',
  codeTaken: 'SELECT 1 FROM ask WHERE code = ?',
  insertAsk: `INSERT INTO ask (id, code, turn_id, state, opened_at, answer_by, body) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  updateAsk: 'UPDATE ask SET state = ?, body = ? WHERE id = ?',
  granted:
    'SELECT 1 FROM approval_grant WHERE session_key = ? AND principal_id = ? AND tool_key = ? AND definition = ?',
  insertGrant: `INSERT INTO approval_grant (session_key, principal_id, tool_key, definition, at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET at = excluded.at`,
  insertDoubt: `INSERT INTO doubt (session_key, tool_key, arguments, at) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET at = excluded.at`,
  deleteDoubt: 'DELETE FROM doubt WHERE session_key = ? AND tool_key = ? AND arguments = ?',
  doubted: 'SELECT 1 FROM doubt WHERE session_key = ? AND tool_key = ? AND arguments = ?',
  takenMessage: 'SELECT turn_id FROM inbox WHERE adapter = ? AND endpoint = ? AND message_id = ?',
  insertMessageName: 'INSERT INTO inbox (adapter, endpoint, message_id, turn_id, at) VALUES (?, ?, ?, ?, ?)',
  reply: 'SELECT turn_id, state, holder FROM reply WHERE turn_id = ?',
  insertReply: 'INSERT INTO reply (turn_id, project, state, holder) VALUES (?, ?, ?, ?)',
  updateReply: 'UPDATE reply SET state = ?, holder = ? WHERE turn_id = ?',
  beatOf: 'SELECT beat_at FROM process WHERE holder = ?',
} as const;

/** The rows of one SQLite connection. Statements are prepared once, when they are first needed. */
export class SqliteRows implements Rows {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  touchSession(key: string, at: number, turns: 0 | 1): void {
    this.#prepared(sql.touchSession).run({ key: toStoredKey(key), at, turns });
  }

  turn(id: string): TurnRow | undefined {
    return this.#one(sql.turn, toTurnRow, toStoredKey(id));
  }

  insertTurn(turn: StoredTurn, takenAt: number): boolean {
    const { id, sessionKey, status, startedAt, holder, epoch, inLane, project, request } = turn;
    const statement = this.#prepared(sql.insertTurn);
    const { changes } = statement.run(
      toStoredKey(id),
      toStoredKey(sessionKey),
      status,
      startedAt,
      holder,
      epoch,
      inLane ? 1 : 0,
      toStoredKey(project),
      JSON.stringify(request),
      takenAt,
    );
    return changes !== 0;
  }

  updateTurn(turn: TurnRow): void {
    const { status, endedAt = null, holder, epoch, activeMs, takenAt, cancel, error, number } = turn;
    const [cancelBody, errorBody] = [cancel, error].map((one) => (one === undefined ? null : JSON.stringify(one)));
    this.#run(
      sql.updateTurn,
      status,
      endedAt,
      holder,
      epoch,
      activeMs,
      takenAt,
      cancelBody ?? null,
      errorBody ?? null,
      number,
    );
  }

  placeTurn({ number, sessionKey }: TurnRow): void {
    this.#prepared(sql.placeTurn).run({ number, session: toStoredKey(sessionKey), ...rowsOf(number) });
  }

  openTurns({ sessionKey, project, cancelled }: OpenTurnQuery): readonly TurnRow[] {
    const found =
      sessionKey !== undefined
        ? this.#all(sql.openOfSession, toTurnRow, toStoredKey(sessionKey))
        : cancelled !== undefined
          ? this.#all(sql.openCancelled, toTurnRow)
          : project !== undefined
            ? this.#all(sql.openOfProject, toTurnRow, toStoredKey(project))
            : this.#all(sql.open, toTurnRow);
    return found.filter(
      (turn) =>
        (project === undefined || turn.project === project) && (cancelled === undefined || turn.cancel !== undefined),
    );
  }

  readyTurns(project: string): readonly TurnRow[] {
    return this.#all(sql.ready, toTurnRow, toStoredKey(project));
  }

  runningTurns(sessionKey: string): readonly TurnRow[] {
    return this.#all(sql.running, toTurnRow, toStoredKey(sessionKey));
  }

  append({ number }: TurnRow, messages: readonly Message[], entries: readonly RecordEntry[]): void {
    const rows = rowsOf(number);
    for (const message of messages) {
      const body = JSON.stringify(message);
      this.#prepared(sql.insertMessage).run({ ...rows, chars: body.length, body });
    }
    for (const { kind, at, body } of entries) {
      this.#prepared(sql.insertEntry).run({ ...rows, kind, at, body: JSON.stringify(body) });
    }
  }

  call({ number }: TurnRow, id: CallId): StoredCall | undefined {
    const { first, last } = rowsOf(number);
    return this.#one(sql.call, toCall, first, last, toStoredKey(id));
  }

  calls({ number }: TurnRow): readonly StoredCall[] {
    const { first, last } = rowsOf(number);
    return this.#all(sql.calls, toCall, first, last);
  }

  insertCall({ number }: TurnRow, call: StoredCall): void {
    this.#prepared(sql.insertCall).run({ ...rowsOf(number), id: toStoredKey(call.id), body: JSON.stringify(call) });
  }

  updateCall({ number }: TurnRow, call: StoredCall): void {
    const { first, last } = rowsOf(number);
    this.#run(sql.updateCall, JSON.stringify(call), first, last, toStoredKey(call.id));
  }

  ask(id: string): StoredAsk | undefined {
    return this.#one(sql.ask, toAsk, toStoredKey(id));
  }

  asks({ states, turnId, sessionKey }: AskQuery): readonly StoredAsk[] {
    const wanted = states?.join(' ') ?? null;
    const found =
      turnId !== undefined
        ? this.#all(sql.asksOfTurn, toAsk, wanted, toStoredKey(turnId))
        : wanted === 'open'
          ? this.#all(sql.asksOpen, toAsk)
          : this.#all(sql.asks, toAsk, wanted);
    return sessionKey === undefined ? found : found.filter((ask) => ask.sessionKey === sessionKey);
  }

  isCodeTaken(code: string): boolean {
    return this.#prepared(sql.codeTaken).get(code) !== undefined;
  }

  insertAsk(ask: StoredAsk): void {
    const { id, code, turnId, state, openedAt, answerBy } = ask;
    this.#run(
      sql.insertAsk,
      toStoredKey(id),
      code,
      toStoredKey(turnId),
      state,
      openedAt,
      answerBy,
      JSON.stringify(ask),
    );
  }

  updateAsk(ask: StoredAsk): void {
    this.#run(sql.updateAsk, ask.state, JSON.stringify(ask), toStoredKey(ask.id));
  }

  isGranted(grant: Grant): boolean {
    return this.#prepared(sql.granted).get(...grantKey(grant)) !== undefined;
  }

  insertGrant(grant: Grant, at: number): void {
    this.#run(sql.insertGrant, ...grantKey(grant), at);
  }

  insertDoubt(sessionKey: string, toolKey: string, argumentsDigest: string, at: number): void {
    this.#run(sql.insertDoubt, toStoredKey(sessionKey), toStoredKey(toolKey), argumentsDigest, at);
  }

  deleteDoubt(sessionKey: string, toolKey: string, argumentsDigest: string): void {
    this.#run(sql.deleteDoubt, toStoredKey(sessionKey), toStoredKey(toolKey), argumentsDigest);
  }

  isDoubted(sessionKey: string, toolKey: string, argumentsDigest: string): boolean {
    const found = this.#prepared(sql.doubted).get(toStoredKey(sessionKey), toStoredKey(toolKey), argumentsDigest);
    return found !== undefined;
  }

  takenMessage(message: NonNullable<NewTurn['message']>): string | undefined {
    return this.#one(sql.takenMessage, (row) => fromStoredKey(String(row.turn_id)), ...messageKey(message));
  }

  insertMessageName(message: NonNullable<NewTurn['message']>, turnId: string, at: number): void {
    this.#run(sql.insertMessageName, ...messageKey(message), toStoredKey(turnId), at);
  }

  reply(turnId: string): ReplyRow | undefined {
    return this.#one(sql.reply, toReplyRow, toStoredKey(turnId));
  }

  insertReply({ project }: TurnRow, { turnId, state, holder }: ReplyRow): void {
    this.#run(sql.insertReply, toStoredKey(turnId), toStoredKey(project), state, holder);
  }

  updateReply({ turnId, state, holder }: ReplyRow): void {
    this.#run(sql.updateReply, state, holder, toStoredKey(turnId));
  }

  beatOf(holder: string): number | undefined {
    return this.#one(sql.beatOf, (row) => Number(row.beat_at), holder);
  }

  #prepared(text: string): StatementSync {
    let statement = this.#statements.get(text);
    if (statement === undefined) {
      statement = this.#database.prepare(text);
      this.#statements.set(text, statement);
    }
    return statement;
  }

  #run(text: string, ...values: readonly SQLInputValue[]): void {
    this.#prepared(text).run(...values);
  }

  #one<Value>(text: string, read: (row: SqliteRow) => Value, ...values: readonly SQLInputValue[]): Value | undefined {
    const row = this.#prepared(text).get(...values);
    return row === undefined ? undefined : read(row);
  }

  #all<Value>(text: string, read: (row: SqliteRow) => Value, ...values: readonly SQLInputValue[]): readonly Value[] {
    return this.#prepared(text)
      .all(...values)
      .map(read);
  }
}

export function toTurnRow(row: SqliteRow): TurnRow {
  return {
    number: Number(row.number),
    id: fromStoredKey(String(row.id)),
    sessionKey: fromStoredKey(String(row.session_key)),
    status: String(row.status) as StoredTurn['status'],
    startedAt: Number(row.started_at),
    ...(row.ended_at === null ? {} : { endedAt: Number(row.ended_at) }),
    holder: String(row.holder),
    epoch: Number(row.epoch),
    inLane: row.in_lane === 1,
    project: fromStoredKey(String(row.project)),
    request: toRequest(String(row.request)),
    activeMs: Number(row.active_ms),
    takenAt: Number(row.taken_at),
    ...(row.cancel === null ? {} : { cancel: JSON.parse(String(row.cancel)) as NonNullable<StoredTurn['cancel']> }),
    ...(row.error === null ? {} : { error: JSON.parse(String(row.error)) as NonNullable<StoredTurn['error']> }),
  };
}

/** Turns are read several times, and those of one person in one place say the same. */
let lastRequest: { readonly json: string; readonly request: StoredTurn['request'] } | undefined;

function toRequest(json: string): StoredTurn['request'] {
  if (lastRequest?.json !== json) lastRequest = { json, request: deepFreeze(JSON.parse(json)) };
  return lastRequest.request;
}

function toCall(row: SqliteRow): StoredCall {
  return JSON.parse(String(row.body)) as StoredCall;
}

function toAsk(row: SqliteRow): StoredAsk {
  return JSON.parse(String(row.body)) as StoredAsk;
}

export function toReplyRow(row: SqliteRow): ReplyRow {
  return {
    turnId: fromStoredKey(String(row.turn_id)),
    state: String(row.state) as ReplyRow['state'],
    holder: String(row.holder),
  };
}

/** The numbers that the messages, record entries and calls of a turn have. */
function rowsOf(turn: number): { readonly first: number; readonly last: number } {
  const first = turn * ROWS_PER_TURN;
  return { first, last: first + ROWS_PER_TURN - 1 };
}

function grantKey(grant: Grant): readonly [string, string, string, string] {
  const { sessionKey, principalId, toolKey, definitionDigest } = grant;
  return [toStoredKey(sessionKey), toStoredKey(principalId), toStoredKey(toolKey), definitionDigest];
}

function messageKey(message: NonNullable<NewTurn['message']>): readonly [string, string, string] {
  return [toStoredKey(message.adapter), toStoredKey(message.endpoint), toStoredKey(message.messageId)];
}
