import type { StoredAsk } from '../contracts/ask.ts';
import { deepFreeze } from '../contracts/deep-freeze.ts';
import type { CallId } from '../contracts/made-call.ts';
import type { Message } from '../contracts/message.ts';
import type { RecordEntry } from '../contracts/record-entry.ts';
import type { AskQuery, Grant, NewTurn, OpenTurnQuery, StoredSession } from '../contracts/store.ts';
import type { StoredCall, StoredTurn } from '../contracts/stored-turn.ts';
import type { ReplyRow, Rows, TurnRow } from './rows.ts';

export interface MemoryTurn {
  row: TurnRow;
  readonly messages: Message[];
  readonly entries: RecordEntry[];
  readonly calls: Map<CallId, StoredCall>;
  /** Length of the messages as JSON; known once somebody asked. */
  chars: number | undefined;
  /** Its session was reset while it ran. */
  forgotten: boolean;
}

export interface MemorySession {
  stored: StoredSession;
  readonly turns: MemoryTurn[];
  /** Those of `turns` that have not ended. */
  readonly open: Set<MemoryTurn>;
  /** The session's history, in the order in which the turns ended, those without messages left out. */
  ended: MemoryTurn[];
  /** As JSON text: what is read can be changed without changing what is stored. */
  readonly values: Map<string, string>;
  /** UTF-8 length of the keys and values together. */
  valueBytes: number;
  /** When each was given. */
  readonly grants: Map<string, number>;
  readonly doubts: Map<string, number>;
}

/** The rows of a store that lives in this process, with a way back for changes that are refused half-way. */
export class MemoryRows implements Rows {
  readonly turns = new Map<string, MemoryTurn>();
  readonly sessions = new Map<string, MemorySession>();
  readonly asksById = new Map<string, StoredAsk>();
  readonly idsByCode = new Map<string, string>();
  readonly taken = new Map<string, { readonly turnId: string; readonly at: number }>();
  readonly repliesById = new Map<string, ReplyRow>();
  readonly beats = new Map<string, number>();
  readonly #open = new Set<MemoryTurn>();
  readonly #asksByTurn = new Map<string, string[]>();
  #number = 0;
  #undo: (() => void)[] = [];

  /** All or nothing. */
  transact<Result>(work: () => Result): Result {
    this.#undo = [];
    try {
      return work();
    } catch (error) {
      for (const undo of this.#undo.reverse()) undo();
      throw error;
    } finally {
      this.#undo = [];
    }
  }

  session(key: string, at: number): MemorySession {
    let session = this.sessions.get(key);
    if (session === undefined) {
      const stored = Object.freeze({ key, createdAt: at, updatedAt: at, turns: 0 });
      session = {
        stored,
        turns: [],
        open: new Set(),
        ended: [],
        values: new Map(),
        valueBytes: 0,
        grants: new Map(),
        doubts: new Map(),
      };
      this.sessions.set(key, session);
      this.#undo.push(() => void this.sessions.delete(key));
    }
    return session;
  }

  touchSession(key: string, at: number, turns: 0 | 1): void {
    const session = this.session(key, at);
    const before = session.stored;
    this.#undo.push(() => {
      session.stored = before;
    });
    const updatedAt = Math.max(before.updatedAt, at);
    session.stored = Object.freeze({ ...before, updatedAt, turns: before.turns + turns });
  }

  turn(id: string): TurnRow | undefined {
    return this.turns.get(id)?.row;
  }

  insertTurn(turn: StoredTurn, takenAt: number): boolean {
    if (this.turns.has(turn.id)) return false;
    this.#number += 1;
    const row = Object.freeze({ ...turn, request: frozenCopy(turn.request), number: this.#number, takenAt });
    const kept: MemoryTurn = { row, messages: [], entries: [], calls: new Map(), chars: undefined, forgotten: false };
    const session = this.session(turn.sessionKey, turn.startedAt);
    this.turns.set(turn.id, kept);
    this.#open.add(kept);
    session.turns.push(kept);
    session.open.add(kept);
    this.#undo.push(() => {
      this.turns.delete(turn.id);
      this.#open.delete(kept);
      session.turns.pop();
      session.open.delete(kept);
    });
    return true;
  }

  updateTurn(row: TurnRow): void {
    const turn = this.#kept(row);
    const before = turn.row;
    this.#undo.push(() => {
      turn.row = before;
    });
    turn.row = Object.freeze(row);
  }

  placeTurn(row: TurnRow): void {
    const turn = this.#kept(row);
    const session = this.sessions.get(row.sessionKey);
    if (session === undefined) return;
    this.#open.delete(turn);
    session.open.delete(turn);
    const joins = turn.messages.length > 0 && !turn.forgotten;
    if (joins) session.ended.push(turn);
    this.#undo.push(() => {
      this.#open.add(turn);
      session.open.add(turn);
      if (joins) session.ended.pop();
    });
  }

  openTurns({ sessionKey, project, cancelled }: OpenTurnQuery): readonly TurnRow[] {
    const open = sessionKey === undefined ? this.#open : (this.sessions.get(sessionKey)?.open ?? []);
    const rows: TurnRow[] = [];
    for (const { row } of open) {
      if (project !== undefined && row.project !== project) continue;
      if (cancelled === undefined || row.cancel !== undefined) rows.push(row);
    }
    return rows.length > 1 ? rows.sort((one, other) => one.number - other.number) : rows;
  }

  readyTurns(project: string): readonly TurnRow[] {
    return this.openTurns({ project }).filter(
      ({ id, status, cancel }) =>
        status !== 'parked' || cancel !== undefined || this.asks({ turnId: id, states: ['open'] }).length === 0,
    );
  }

  runningTurns(sessionKey: string): readonly TurnRow[] {
    return this.openTurns({ sessionKey }).filter(({ status }) => status === 'running');
  }

  append(row: TurnRow, messages: readonly Message[], entries: readonly RecordEntry[]): void {
    const turn = this.#kept(row);
    const [messageCount, entryCount] = [turn.messages.length, turn.entries.length];
    for (const message of messages) turn.messages.push(deepFreeze(message));
    for (const entry of entries) turn.entries.push(entry);
    this.#undo.push(() => {
      turn.messages.length = messageCount;
      turn.entries.length = entryCount;
    });
  }

  call(row: TurnRow, id: CallId): StoredCall | undefined {
    return this.turns.get(row.id)?.calls.get(id);
  }

  calls(row: TurnRow): readonly StoredCall[] {
    return [...(this.turns.get(row.id)?.calls.values() ?? [])];
  }

  insertCall(row: TurnRow, call: StoredCall): void {
    this.updateCall(row, call);
  }

  updateCall(row: TurnRow, call: StoredCall): void {
    const { calls } = this.#kept(row);
    set(calls, call.id, frozenCopy(call), this.#undo);
  }

  ask(id: string): StoredAsk | undefined {
    return this.asksById.get(id);
  }

  asks({ states, turnId, sessionKey }: AskQuery): readonly StoredAsk[] {
    const ids = turnId === undefined ? this.asksById.keys() : (this.#asksByTurn.get(turnId) ?? []);
    const found: StoredAsk[] = [];
    for (const id of ids) {
      const ask = this.asksById.get(id);
      if (ask === undefined) continue;
      if (states !== undefined && !states.includes(ask.state)) continue;
      if (sessionKey === undefined || ask.sessionKey === sessionKey) found.push(ask);
    }
    return found.sort((one, other) => one.openedAt - other.openedAt);
  }

  isCodeTaken(code: string): boolean {
    return this.idsByCode.has(code);
  }

  insertAsk(ask: StoredAsk): void {
    const ids = this.#asksByTurn.get(ask.turnId) ?? [];
    ids.push(ask.id);
    this.#asksByTurn.set(ask.turnId, ids);
    this.#undo.push(() => void ids.pop());
    set(this.idsByCode, ask.code, ask.id, this.#undo);
    set(this.asksById, ask.id, frozenCopy(ask), this.#undo);
  }

  updateAsk(ask: StoredAsk): void {
    set(this.asksById, ask.id, frozenCopy(ask), this.#undo);
  }

  isGranted(grant: Grant): boolean {
    return this.sessions.get(grant.sessionKey)?.grants.has(grantKey(grant)) ?? false;
  }

  insertGrant(grant: Grant, at: number): void {
    set(this.session(grant.sessionKey, at).grants, grantKey(grant), at, this.#undo);
  }

  insertDoubt(sessionKey: string, toolKey: string, argumentsDigest: string, at: number): void {
    set(this.session(sessionKey, at).doubts, `${argumentsDigest} ${toolKey}`, at, this.#undo);
  }

  deleteDoubt(sessionKey: string, toolKey: string, argumentsDigest: string): void {
    const doubts = this.sessions.get(sessionKey)?.doubts;
    const key = `${argumentsDigest} ${toolKey}`;
    const before = doubts?.get(key);
    if (doubts === undefined || before === undefined) return;
    doubts.delete(key);
    this.#undo.push(() => void doubts.set(key, before));
  }

  isDoubted(sessionKey: string, toolKey: string, argumentsDigest: string): boolean {
    return this.sessions.get(sessionKey)?.doubts.has(`${argumentsDigest} ${toolKey}`) ?? false;
  }

  takenMessage(message: NonNullable<NewTurn['message']>): string | undefined {
    return this.taken.get(messageKey(message))?.turnId;
  }

  insertMessageName(message: NonNullable<NewTurn['message']>, turnId: string, at: number): void {
    set(this.taken, messageKey(message), { turnId, at }, this.#undo);
  }

  reply(turnId: string): ReplyRow | undefined {
    return this.repliesById.get(turnId);
  }

  insertReply(_turn: TurnRow, reply: ReplyRow): void {
    set(this.repliesById, reply.turnId, reply, this.#undo);
  }

  updateReply(reply: ReplyRow): void {
    set(this.repliesById, reply.turnId, reply, this.#undo);
  }

  beatOf(holder: string): number | undefined {
    return this.beats.get(holder);
  }

  /** Forgets what only turns under way need, of those that ended before. */
  erase(before: number): void {
    for (const { row, calls } of this.turns.values()) {
      if (row.endedAt === undefined || row.endedAt >= before) continue;
      calls.clear();
      if (this.repliesById.get(row.id)?.state === 'delivered') this.repliesById.delete(row.id);
      for (const id of this.#asksByTurn.get(row.id) ?? []) {
        const ask = this.asksById.get(id);
        if (ask !== undefined) this.idsByCode.delete(ask.code);
        this.asksById.delete(id);
      }
      this.#asksByTurn.delete(row.id);
    }
    forget(this.taken, ({ turnId }) => (this.turn(turnId)?.endedAt ?? before) < before);
    for (const { grants, doubts } of this.sessions.values()) {
      forget(grants, (at) => at < before);
      forget(doubts, (at) => at < before);
    }
  }

  #kept({ id }: TurnRow): MemoryTurn {
    const turn = this.turns.get(id);
    if (turn === undefined) throw new Error(`no turn ${id}`);
    return turn;
  }
}

/** What was copied here once is nobody else's, and is kept as it is. */
const own = new WeakSet<object>();

/** As it would come back from a file: nobody else's hands are on it. */
function frozenCopy<Value extends object>(value: Value): Value {
  if (own.has(value)) return value;
  const copy = {} as { [name: string]: unknown };
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) copy[name] = isObject(member) ? frozenMember(member) : member;
  }
  own.add(copy);
  return Object.freeze(copy) as Value;
}

function frozenMember(value: object): object {
  if (own.has(value)) return value;
  const copy = deepFreeze(JSON.parse(JSON.stringify(value)) as object);
  own.add(copy);
  return copy;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function set<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, undo: (() => void)[]): void {
  const had = map.has(key);
  const before = map.get(key);
  map.set(key, value);
  undo.push(() => {
    if (had) map.set(key, before as Value);
    else map.delete(key);
  });
}

function forget<Key, Value>(map: Map<Key, Value>, isOld: (value: Value) => boolean): void {
  for (const [key, value] of map) if (isOld(value)) map.delete(key);
}

function grantKey({ principalId, toolKey, definitionDigest }: Grant): string {
  return JSON.stringify([principalId, toolKey, definitionDigest]);
}

function messageKey({ adapter, endpoint, messageId }: NonNullable<NewTurn['message']>): string {
  return JSON.stringify([adapter, endpoint, messageId]);
}
