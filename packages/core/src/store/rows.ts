import type { StoredAsk } from '../contracts/ask.ts';
import type { CallId } from '../contracts/made-call.ts';
import type { Message } from '../contracts/message.ts';
import type { RecordEntry } from '../contracts/record-entry.ts';
import type { StoredReply } from '../contracts/reply.ts';
import type { AskQuery, Grant, NewTurn, OpenTurnQuery } from '../contracts/store.ts';
import type { StoredCall, StoredTurn } from '../contracts/stored-turn.ts';

/** A turn with what only stores need of it. */
export interface TurnRow extends StoredTurn {
  /** Its place among all turns. */
  readonly number: number;
  /** When its holder took it. */
  readonly takenAt: number;
}

export interface ReplyRow {
  readonly turnId: string;
  readonly state: StoredReply['state'];
  /** Who sends it. */
  readonly holder: string;
}

/**
 * The rows of one store inside one transaction: single reads and writes without any rule. What may be written when is
 * said once, in `StoreRules`, for every kind of store.
 */
export interface Rows {
  /** Makes the session when it is new. */
  touchSession(key: string, at: number, turns: 0 | 1): void;
  turn(id: string): TurnRow | undefined;
  /** False: there is a turn of that id. */
  insertTurn(turn: StoredTurn, takenAt: number): boolean;
  updateTurn(turn: TurnRow): void;
  /** Gives an ended turn its place in the history of its session, unless that was reset while it ran. */
  placeTurn(turn: TurnRow): void;
  /** Those that have not ended, oldest first. */
  openTurns(query: OpenTurnQuery): readonly TurnRow[];
  /** Those of a project without the parked ones that wait for an answer and are not wanted to end; oldest first. */
  readyTurns(project: string): readonly TurnRow[];
  runningTurns(sessionKey: string): readonly TurnRow[];
  append(turn: TurnRow, messages: readonly Message[], entries: readonly RecordEntry[]): void;

  call(turn: TurnRow, id: CallId): StoredCall | undefined;
  /** In the order in which they were made. */
  calls(turn: TurnRow): readonly StoredCall[];
  insertCall(turn: TurnRow, call: StoredCall): void;
  updateCall(turn: TurnRow, call: StoredCall): void;

  /** By its id. */
  ask(id: string): StoredAsk | undefined;
  asks(query: AskQuery): readonly StoredAsk[];
  isCodeTaken(code: string): boolean;
  insertAsk(ask: StoredAsk): void;
  updateAsk(ask: StoredAsk): void;

  isGranted(grant: Grant): boolean;
  insertGrant(grant: Grant, at: number): void;
  insertDoubt(sessionKey: string, toolKey: string, argumentsDigest: string, at: number): void;
  deleteDoubt(sessionKey: string, toolKey: string, argumentsDigest: string): void;
  isDoubted(sessionKey: string, toolKey: string, argumentsDigest: string): boolean;

  takenMessage(message: NonNullable<NewTurn['message']>): string | undefined;
  insertMessageName(message: NonNullable<NewTurn['message']>, turnId: string, at: number): void;

  reply(turnId: string): ReplyRow | undefined;
  insertReply(turn: TurnRow, reply: ReplyRow): void;
  updateReply(reply: ReplyRow): void;

  /** When this process last said that it lives. */
  beatOf(holder: string): number | undefined;
}
