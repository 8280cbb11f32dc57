import { deepFreeze } from '../contracts/deep-freeze.ts';
import type { Json } from '../contracts/json.ts';
import type { Message } from '../contracts/message.ts';
import type { RecordEntry } from '../contracts/record-entry.ts';
import type { Store, StoredSession, StoredTurn } from '../contracts/store.ts';
import { text } from '../contracts/texts/text.ts';
import type { TurnStatus } from '../contracts/turn-event.ts';
import { isHolderAlive } from './is-holder-alive.ts';
import { rowLimit } from './row-limit.ts';
import { StoreError } from './store-error.ts';
import { keyBytes, totalsAfter } from './value-totals.ts';

interface MemoryTurn {
  stored: StoredTurn;
  readonly messages: Message[];
  readonly entries: RecordEntry[];
  /** Length of the messages as JSON; known once somebody asked. */
  chars: number | undefined;
  /** Its session was reset while it ran. */
  forgotten: boolean;
}

interface MemorySession {
  stored: StoredSession;
  readonly turns: MemoryTurn[];
  /** The session's history, in the order in which the turns ended, those without messages left out. */
  ended: MemoryTurn[];
  /** As JSON text: what is read can be changed without changing what is stored. */
  readonly values: Map<string, string>;
  /** UTF-8 length of the keys and values together. */
  valueBytes: number;
}

/** The store behind {@link createMemoryStore}. */
export class MemoryStore implements Store {
  readonly holder: string;
  readonly #turns = new Map<string, MemoryTurn>();
  readonly #sessions = new Map<string, MemorySession>();
  #closed = false;

  constructor(holder: string) {
    this.holder = holder;
  }

  async beginTurn(turn: StoredTurn, messages: readonly Message[], entries: readonly RecordEntry[]): Promise<void> {
    this.#demandOpen();
    if (this.#turns.has(turn.id)) throw new StoreError('TURN_EXISTS', text('store.turn-exists', { turn: turn.id }));
    const kept: MemoryTurn = {
      stored: Object.freeze({ ...turn }),
      messages: [],
      entries: [],
      chars: undefined,
      forgotten: false,
    };
    add(kept, messages, entries);
    this.#turns.set(turn.id, kept);
    const session = this.#sessionFor(turn.sessionKey, turn.startedAt);
    session.turns.push(kept);
    session.stored = touched(session.stored, turn.startedAt, session.turns.length);
  }

  async append(turnId: string, messages: readonly Message[], entries: readonly RecordEntry[]): Promise<void> {
    add(this.#runningTurn(turnId), messages, entries);
  }

  async endTurn(
    turnId: string,
    status: TurnStatus,
    at: number,
    messages: readonly Message[],
    entries: readonly RecordEntry[],
  ): Promise<void> {
    const turn = this.#runningTurn(turnId);
    add(turn, messages, entries);
    turn.stored = Object.freeze({ ...turn.stored, status, endedAt: at });
    const session = this.#sessions.get(turn.stored.sessionKey);
    if (session === undefined) return;
    if (turn.messages.length > 0 && !turn.forgotten) session.ended.push(turn);
    session.stored = touched(session.stored, at, session.turns.length);
  }

  async history(sessionKey: string, maxTurns: number, maxChars: number): Promise<readonly Message[]> {
    this.#demandOpen();
    const ended = this.#sessions.get(sessionKey)?.ended ?? [];
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

  async abandonedTurns(
    sessionKey: string,
    isRunning: (turnId: string) => boolean = () => true,
  ): Promise<readonly StoredTurn[]> {
    this.#demandOpen();
    return (this.#sessions.get(sessionKey)?.turns ?? [])
      .map((turn) => turn.stored)
      .filter((turn) => turn.status === 'running')
      .filter((turn) => (turn.holder === this.holder ? !isRunning(turn.id) : !isHolderAlive(turn.holder)));
  }

  async turn(turnId: string): Promise<StoredTurn | undefined> {
    this.#demandOpen();
    return this.#turns.get(turnId)?.stored;
  }

  async messages(turnId: string): Promise<readonly Message[]> {
    this.#demandOpen();
    return this.#turns.get(turnId)?.messages.slice() ?? [];
  }

  async record(turnId: string): Promise<readonly RecordEntry[]> {
    this.#demandOpen();
    return this.#turns.get(turnId)?.entries.slice() ?? [];
  }

  async turns(sessionKey: string | undefined, limit: number): Promise<readonly StoredTurn[]> {
    this.#demandOpen();
    const turns = sessionKey === undefined ? [...this.#turns.values()] : (this.#sessions.get(sessionKey)?.turns ?? []);
    return turns
      .slice(Math.max(0, turns.length - rowLimit(limit)))
      .reverse()
      .map((turn) => turn.stored);
  }

  async sessions(limit: number): Promise<readonly StoredSession[]> {
    this.#demandOpen();
    return [...this.#sessions.values()]
      .map((session) => session.stored)
      .reverse()
      .sort((one, other) => other.updatedAt - one.updatedAt)
      .slice(0, rowLimit(limit));
  }

  async session(key: string): Promise<StoredSession | undefined> {
    this.#demandOpen();
    return this.#sessions.get(key)?.stored;
  }

  async resetSession(sessionKey: string, at: number): Promise<boolean> {
    this.#demandOpen();
    const session = this.#sessions.get(sessionKey);
    if (session === undefined) return false;
    session.ended = [];
    for (const turn of session.turns) if (turn.stored.status === 'running') turn.forgotten = true;
    session.values.clear();
    session.valueBytes = 0;
    session.stored = touched(session.stored, at, session.turns.length);
    return true;
  }

  async getValue(sessionKey: string, key: string): Promise<Json | undefined> {
    this.#demandOpen();
    const value = this.#sessions.get(sessionKey)?.values.get(key);
    return value === undefined ? undefined : (JSON.parse(value) as Json);
  }

  async setValue(sessionKey: string, key: string, value: Json, at = Date.now()): Promise<void> {
    this.#demandOpen();
    const known = this.#sessions.get(sessionKey);
    const before = { count: known?.values.size ?? 0, bytes: known?.valueBytes ?? 0 };
    const json = JSON.stringify(value);
    const { bytes } = totalsAfter(before, key, byteLength(known?.values.get(key)), Buffer.byteLength(json));
    const session = known ?? this.#sessionFor(sessionKey, at);
    session.values.set(key, json);
    session.valueBytes = bytes;
    session.stored = touched(session.stored, at, session.turns.length);
  }

  async deleteValue(sessionKey: string, key: string, at = Date.now()): Promise<void> {
    this.#demandOpen();
    const session = this.#sessions.get(sessionKey);
    const removed = byteLength(session?.values.get(key));
    if (session === undefined || removed === undefined) return;
    session.values.delete(key);
    session.valueBytes -= keyBytes(key) + removed;
    session.stored = touched(session.stored, at, session.turns.length);
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  #demandOpen(): void {
    if (this.#closed) throw new StoreError('CLOSED', text('store.closed'));
  }

  #sessionFor(key: string, at: number): MemorySession {
    let session = this.#sessions.get(key);
    if (session === undefined) {
      const stored = Object.freeze({ key, createdAt: at, updatedAt: at, turns: 0 });
      session = { stored, turns: [], ended: [], values: new Map(), valueBytes: 0 };
      this.#sessions.set(key, session);
    }
    return session;
  }

  #runningTurn(turnId: string): MemoryTurn {
    this.#demandOpen();
    const turn = this.#turns.get(turnId);
    if (turn === undefined) throw new StoreError('UNKNOWN_TURN', text('store.unknown-turn', { turn: turnId }));
    if (turn.stored.status !== 'running') {
      throw new StoreError('TURN_ENDED', text('store.turn-ended', { turn: turnId }));
    }
    return turn;
  }
}

function add(turn: MemoryTurn, messages: readonly Message[], entries: readonly RecordEntry[]): void {
  for (const message of messages) turn.messages.push(deepFreeze(message));
  for (const entry of entries) turn.entries.push(entry);
}

function touched(session: StoredSession, at: number, turns: number): StoredSession {
  return Object.freeze({ ...session, updatedAt: Math.max(session.updatedAt, at), turns });
}

function byteLength(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Buffer.byteLength(text);
}
