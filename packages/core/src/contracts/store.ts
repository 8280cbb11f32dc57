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
  readonly createdAt: number;
  readonly updatedAt: number;
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
  /** Ends a turn; its messages join the session's history as one block. */
  endTurn(
    turnId: string,
    status: TurnStatus,
    at: number,
    messages: readonly Message[],
    entries: readonly RecordEntry[],
  ): Promise<void>;
  /** Messages of ended turns, oldest first, whole turns only: the newest that fit within `maxTurns` and `maxChars`. */
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
  getValue(sessionKey: string, key: string): Promise<Json | undefined>;
  setValue(sessionKey: string, key: string, value: Json): Promise<void>;
  deleteValue(sessionKey: string, key: string): Promise<void>;
  close(): Promise<void>;
}
