import { createHmac, randomBytes } from 'node:crypto';
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
import { isHolderAlive } from './is-holder-alive.ts';
import { isSenderGone, LEFT, type LeaseFacts } from './lease-rules.ts';
import { MemoryRows } from './memory-rows.ts';
import { rowLimit } from './row-limit.ts';
import type { ReplyRow, TurnRow } from './rows.ts';
import { StoreError } from './store-error.ts';
import { ApprovalGone, isDoubtedIn, resumableOf, StoreRules } from './store-rules.ts';
import { storedReply } from './stored-reply.ts';
import { TransitionLog } from './transition-log.ts';
import { keyBytes, totalsAfter } from './value-totals.ts';
import { Wakes } from './wakes.ts';

export interface MemoryStoreParts {
  readonly holder: string;
  readonly failpoint?: ((name: Failpoint) => void) | undefined;
  readonly isAlive?: ((holder: string) => boolean) | undefined;
}

/** The store behind {@link createMemoryStore}. */
export class MemoryStore implements Store {
  readonly holder: string;
  readonly #failpoint: ((name: Failpoint) => void) | undefined;
  readonly #isAlive: (holder: string) => boolean;
  readonly #rows = new MemoryRows();
  readonly #key = randomBytes(32);
  readonly #wakes = new Wakes();
  #closed = false;

  constructor({ holder, failpoint, isAlive = isHolderAlive }: MemoryStoreParts) {
    this.holder = holder;
    this.#failpoint = failpoint;
    this.#isAlive = isAlive;
  }

  sign(content: string): string {
    return createHmac('sha256', this.#key).update(content).digest('hex');
  }

  async takeIn(turn: NewTurn, messages: readonly Message[], entries: readonly RecordEntry[]): Promise<Taken> {
    return this.#told((rules) => rules.takeIn(turn, this.holder, messages, entries));
  }

  async claim(turnId: string, at: number, isRunning: (turnId: string) => boolean): Promise<Claimed> {
    return this.#told((rules) => rules.claim(turnId, this.#facts(at, isRunning)));
  }

  async commit(lease: Lease, change: TurnChange): Promise<'committed' | 'approval-gone'> {
    try {
      this.#change((rules) => rules.commit(lease, change));
      if (change.turn !== undefined) this.#wakes.tell();
      return 'committed';
    } catch (error) {
      if (error instanceof ApprovalGone) return 'approval-gone';
      throw error;
    }
  }

  async requestCancel(turnId: string, cancel: TurnCancel): Promise<boolean> {
    return this.#told((rules) => rules.requestCancel(turnId, cancel));
  }

  async openTurns(query: OpenTurnQuery): Promise<readonly StoredTurn[]> {
    this.#demandOpen();
    return this.#rows.openTurns(query).map(toTurn);
  }

  async resumable(project: string, at: number, isRunning: (turnId: string) => boolean): Promise<readonly StoredTurn[]> {
    this.#demandOpen();
    return resumableOf(this.#rows, project, this.#facts(at, isRunning)).map(toTurn);
  }

  async calls(turnId: string): Promise<readonly StoredCall[]> {
    this.#demandOpen();
    const turn = this.#rows.turn(turnId);
    return turn === undefined ? [] : this.#rows.calls(turn);
  }

  async beat(at: number): Promise<void> {
    this.#demandOpen();
    this.#rows.beats.set(this.holder, at);
  }

  async leave(): Promise<void> {
    this.#demandOpen();
    this.#rows.beats.set(this.holder, LEFT);
  }

  subscribe(wake: () => void): () => void {
    return this.#wakes.add(wake);
  }

  async asks(query: AskQuery): Promise<readonly StoredAsk[]> {
    this.#demandOpen();
    return this.#rows.asks(query);
  }

  async ask(idOrCode: string): Promise<StoredAsk | undefined> {
    this.#demandOpen();
    const id = this.#rows.idsByCode.get(idOrCode.trim().toUpperCase());
    return this.#rows.ask(idOrCode) ?? (id === undefined ? undefined : this.#rows.ask(id));
  }

  async answerAsk(id: string, answer: Answer): Promise<Answered | undefined> {
    return this.#told((rules) => rules.answer(id, answer));
  }

  async overdueAsks(at: number): Promise<readonly StoredAsk[]> {
    this.#demandOpen();
    return this.#rows.asks({ states: ['open'] }).filter(({ answerBy }) => answerBy <= at);
  }

  async isGranted(grant: Grant): Promise<boolean> {
    this.#demandOpen();
    return this.#rows.isGranted(grant);
  }

  async isDoubted(sessionKey: string, toolKey: string, argumentsDigest: string, at: number): Promise<boolean> {
    this.#demandOpen();
    return isDoubtedIn(
      this.#rows,
      { sessionKey, toolKey, argumentsDigest },
      this.#facts(at, () => true),
    );
  }

  async replies(project: string): Promise<readonly StoredReply[]> {
    this.#demandOpen();
    const replies: (StoredReply & { readonly number: number })[] = [];
    for (const row of this.#rows.repliesById.values()) {
      const turn = this.#rows.turn(row.turnId);
      if (turn?.project !== project) continue;
      const seen = this.#seen(row);
      // For good: a later process may have the id of the one that sent.
      if (seen !== row) this.#rows.updateReply(seen);
      if (seen.state === 'delivered' || seen.state === 'sending') continue;
      replies.push({ ...storedReply(turn, seen), number: turn.number });
    }
    replies.sort((one, other) => one.endedAt - other.endedAt || one.number - other.number);
    return replies.map(({ number: _number, ...reply }) => reply);
  }

  async reply(turnId: string): Promise<StoredReply | undefined> {
    this.#demandOpen();
    const turn = this.#rows.turn(turnId);
    const row = this.#rows.reply(turnId);
    return turn === undefined || row === undefined ? undefined : storedReply(turn, this.#seen(row));
  }

  async claimReply(turnId: string, again: boolean): Promise<boolean> {
    this.#demandOpen();
    const row = this.#rows.reply(turnId);
    if (row === undefined) return false;
    const { state } = this.#seen(row);
    if (state !== 'pending' && !(again && state === 'unknown')) return false;
    this.#rows.updateReply({ turnId, state: 'sending', holder: this.holder });
    return true;
  }

  async settleReply(turnId: string, state: 'delivered' | 'pending'): Promise<void> {
    this.#demandOpen();
    const row = this.#rows.reply(turnId);
    if (row?.state !== 'sending' || row.holder !== this.holder) return;
    this.#rows.updateReply({ ...row, state });
    this.#wakes.tell();
  }

  async history(sessionKey: string, maxTurns: number, maxChars: number): Promise<readonly Message[]> {
    this.#demandOpen();
    const ended = this.#rows.sessions.get(sessionKey)?.ended ?? [];
    const oldest = Math.max(0, ended.length - rowLimit(maxTurns));
    const taken: typeof ended = [];
    let first = ended.length;
    for (let chars = 0; first > oldest; first -= 1) {
      const turn = ended[first - 1];
      if (turn === undefined) break;
      turn.chars ??= turn.messages.reduce((sum, message) => sum + JSON.stringify(message).length, 0);
      // One that is too big by itself must not hide all that came before it.
      if (turn.chars > maxChars) continue;
      chars += turn.chars;
      if (chars > maxChars) break;
      taken.push(turn);
    }
    return taken.reverse().flatMap((turn) => turn.messages);
  }

  async note(turnId: string, entries: readonly RecordEntry[]): Promise<void> {
    this.#change((rules) => rules.note(turnId, entries));
  }

  async turn(turnId: string): Promise<StoredTurn | undefined> {
    this.#demandOpen();
    const row = this.#rows.turn(turnId);
    return row === undefined ? undefined : toTurn(row);
  }

  async messages(turnId: string): Promise<readonly Message[]> {
    this.#demandOpen();
    return this.#rows.turns.get(turnId)?.messages.slice() ?? [];
  }

  async record(turnId: string): Promise<readonly RecordEntry[]> {
    this.#demandOpen();
    return this.#rows.turns.get(turnId)?.entries.slice() ?? [];
  }

  async turns(sessionKey: string | undefined, limit: number): Promise<readonly StoredTurn[]> {
    this.#demandOpen();
    const turns =
      sessionKey === undefined ? [...this.#rows.turns.values()] : (this.#rows.sessions.get(sessionKey)?.turns ?? []);
    return turns
      .slice(Math.max(0, turns.length - rowLimit(limit)))
      .reverse()
      .map(({ row }) => toTurn(row));
  }

  async sessions(limit: number): Promise<readonly StoredSession[]> {
    this.#demandOpen();
    return [...this.#rows.sessions.values()]
      .map((session) => session.stored)
      .reverse()
      .sort((one, other) => other.updatedAt - one.updatedAt)
      .slice(0, rowLimit(limit));
  }

  async session(key: string): Promise<StoredSession | undefined> {
    this.#demandOpen();
    return this.#rows.sessions.get(key)?.stored;
  }

  async resetSession(sessionKey: string, at: number): Promise<boolean> {
    this.#demandOpen();
    const session = this.#rows.sessions.get(sessionKey);
    if (session === undefined) return false;
    session.ended = [];
    for (const turn of session.open) turn.forgotten = true;
    session.values.clear();
    session.valueBytes = 0;
    session.grants.clear();
    session.doubts.clear();
    session.stored = touched(session.stored, at);
    return true;
  }

  async getValue(sessionKey: string, key: string): Promise<Json | undefined> {
    this.#demandOpen();
    const value = this.#rows.sessions.get(sessionKey)?.values.get(key);
    return value === undefined ? undefined : (JSON.parse(value) as Json);
  }

  async setValue(sessionKey: string, key: string, value: Json, at = Date.now()): Promise<void> {
    this.#demandOpen();
    const known = this.#rows.sessions.get(sessionKey);
    const before = { count: known?.values.size ?? 0, bytes: known?.valueBytes ?? 0 };
    const json = JSON.stringify(value);
    const { bytes } = totalsAfter(before, key, byteLength(known?.values.get(key)), Buffer.byteLength(json));
    const session = known ?? this.#rows.session(sessionKey, at);
    session.values.set(key, json);
    session.valueBytes = bytes;
    session.stored = touched(session.stored, at);
  }

  async deleteValue(sessionKey: string, key: string, at = Date.now()): Promise<void> {
    this.#demandOpen();
    const session = this.#rows.sessions.get(sessionKey);
    const removed = byteLength(session?.values.get(key));
    if (session === undefined || removed === undefined) return;
    session.values.delete(key);
    session.valueBytes -= keyBytes(key) + removed;
    session.stored = touched(session.stored, at);
  }

  async erase(before: number): Promise<void> {
    this.#demandOpen();
    this.#rows.erase(before);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#wakes.clear();
  }

  /** A change that others want to hear of. */
  #told<Result>(work: (rules: StoreRules) => Result): Result {
    const result = this.#change(work);
    this.#wakes.tell();
    return result;
  }

  #change<Result>(work: (rules: StoreRules) => Result): Result {
    this.#demandOpen();
    const log = new TransitionLog(this.#failpoint);
    const result = this.#rows.transact(() => {
      const done = work(new StoreRules(this.#rows, log));
      log.before();
      return done;
    });
    log.after();
    return result;
  }

  #facts(at: number, isRunning: (turnId: string) => boolean): LeaseFacts {
    return { holder: this.holder, isAlive: this.#isAlive, isRunning, at };
  }

  #seen(row: ReplyRow): ReplyRow {
    const facts = { holder: this.holder, isAlive: this.#isAlive, at: Date.now() };
    const isLost = row.state === 'sending' && isSenderGone(row.holder, this.#rows, facts);
    return isLost ? { ...row, state: 'unknown' } : row;
  }

  #demandOpen(): void {
    if (this.#closed) throw new StoreError('CLOSED', text('store.closed'));
  }
}

/** Without what only stores need. */
function toTurn({ number: _number, takenAt: _takenAt, ...turn }: TurnRow): StoredTurn {
  return turn;
}

function touched(session: StoredSession, at: number): StoredSession {
  return Object.freeze({ ...session, updatedAt: Math.max(session.updatedAt, at) });
}

function byteLength(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Buffer.byteLength(text);
}
