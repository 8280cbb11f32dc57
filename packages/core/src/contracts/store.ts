import type { Json } from './json.ts';
import type { Message } from './message.ts';
import type { RecordEntry } from './record-entry.ts';
import type { TurnStatus } from './turn-event.ts';

export interface StoredTurn {
  readonly id: string;
  readonly sessionKey: string;
  readonly status: 'running' | TurnStatus;
  readonly startedAt: number;
  readonly endedAt?: number;
  /** The process that runs it, as `store.holder` of that process. */
  readonly holder: string;
}

export interface StoredSession {
  readonly key: string;
  /** When its first turn began or its first value was set. */
  readonly createdAt: number;
  /** When a turn last began or ended, a value last changed, or the session was last reset. Reading does not count. */
  readonly updatedAt: number;
  /** All its turns, those from before a reset included. */
  readonly turns: number;
}

/**
 * Where sessions, messages and records are kept.
 * Asynchronous because a database server is; the SQLite store answers without leaving the tick.
 */
export interface Store {
  /** Names this process among those that use the store. */
  readonly holder: string;
  /** Opens a turn (and its session, when it is new), as a rule with the user's message; a direct call has none. */
  beginTurn(turn: StoredTurn, messages: readonly Message[], entries: readonly RecordEntry[]): Promise<void>;
  /** One transaction. `durable`: on disk before it resolves; else it survives the end of the process, not a power cut. */
  append(
    turnId: string,
    messages: readonly Message[],
    entries: readonly RecordEntry[],
    durable: boolean,
  ): Promise<void>;
  /** Ends a turn; its messages join the session's history as one block, unless the session was reset while it ran. */
  endTurn(
    turnId: string,
    status: TurnStatus,
    at: number,
    messages: readonly Message[],
    entries: readonly RecordEntry[],
  ): Promise<void>;
  /**
   * Messages of turns that began and ended since the session was last reset, oldest first, whole turns only: the newest
   * that fit within `maxTurns` and `maxChars`.
   */
  history(sessionKey: string, maxTurns: number, maxChars: number): Promise<readonly Message[]>;
  /**
   * Turns of the session that are marked as running but are not: their process is no more, or it is this one and
   * `isRunning` does not know them (their end could not be written).
   */
  abandonedTurns(sessionKey: string, isRunning?: (turnId: string) => boolean): Promise<readonly StoredTurn[]>;
  turn(turnId: string): Promise<StoredTurn | undefined>;
  messages(turnId: string): Promise<readonly Message[]>;
  record(turnId: string): Promise<readonly RecordEntry[]>;
  /** Newest first. */
  turns(sessionKey: string | undefined, limit: number): Promise<readonly StoredTurn[]>;
  /** Newest first. */
  sessions(limit: number): Promise<readonly StoredSession[]>;
  /** What is known of one session: undefined when it never had a turn or a value. */
  session(key: string): Promise<StoredSession | undefined>;
  /**
   * Ends the session and lets it begin anew, in one transaction that is on disk before it resolves: all its values are
   * deleted, and its history is empty. False when there is no such session.
   *
   * Nothing else is lost: its turns stay readable by `turn`, `turns`, `messages` and `record`. A turn that runs
   * meanwhile goes on and ends as usual, but since it began in the old talk its messages never join the new history;
   * values that it sets after the reset belong to the new session. `at` is the time of the reset, in milliseconds since
   * the epoch; the session counts as used at that moment.
   *
   * @example
   * const session = await store.session(key);
   * if (session !== undefined && now - session.updatedAt > idleMs) await store.resetSession(key, now);
   */
  resetSession(sessionKey: string, at: number): Promise<boolean>;
  getValue(sessionKey: string, key: string): Promise<Json | undefined>;
  /**
   * Keeps a value for a session, which is made when it is new. `at` is the time of the change, in milliseconds since the
   * epoch; the system's clock when it is left out.
   *
   * As UTF-8, one value is at most 1 MiB of JSON text, the keys and values of one session at most 16 MiB in sum, in at
   * most 10,000 keys. Beyond, it rejects with a `StoreError` of code `LIMIT` that says which, and nothing is changed. A
   * change that makes a session smaller is always taken.
   */
  setValue(sessionKey: string, key: string, value: Json, at?: number): Promise<void>;
  /** `at` as for `setValue`; a key that is not there changes nothing. */
  deleteValue(sessionKey: string, key: string, at?: number): Promise<void>;
  close(): Promise<void>;
}
