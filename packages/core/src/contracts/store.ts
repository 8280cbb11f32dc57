import type { Answer, Ask, StoredAsk, WithdrawReason } from './ask.ts';
import type { Json, JsonObject } from './json.ts';
import type { CallId } from './made-call.ts';
import type { Message } from './message.ts';
import type { Outcome } from './outcome.ts';
import type { RecordEntry } from './record-entry.ts';
import type { StoredReply } from './reply.ts';
import type { StoredCall, StoredRequest, StoredTurn, TurnCancel } from './stored-turn.ts';
import type { TurnError, TurnStatus } from './turn-event.ts';
import type { AskState } from './turn-machine.ts';

export interface StoredSession {
  readonly key: string;
  /** When its first turn was taken in or its first value was set. */
  readonly createdAt: number;
  /** When a turn was last taken in or ended, a value last changed, or the session was last reset. Reading does not count. */
  readonly updatedAt: number;
  /** All its turns, those from before a reset included. */
  readonly turns: number;
}

/** A turn that is taken in. */
export interface NewTurn {
  readonly id: string;
  readonly sessionKey: string;
  readonly at: number;
  readonly inLane: boolean;
  readonly project: string;
  readonly request: StoredRequest;
  /** The platform's own name of the message; the same one is taken in once. */
  readonly message?: { readonly adapter: string; readonly endpoint: string; readonly messageId: string };
}

/** Who may change a turn: the process that holds it, as long as nobody took it over. */
export interface Lease {
  readonly turnId: string;
  readonly epoch: number;
}

/** One step of one call through its states, with what it means. */
export type CallMove =
  | { readonly move: 'call.propose'; readonly id: CallId }
  | ({ readonly move: 'call.await'; readonly id: CallId; readonly askId: string } & Decided)
  | ({ readonly move: 'call.ready'; readonly id: CallId } & Decided)
  | {
      readonly move: 'call.start';
      readonly id: CallId;
      readonly readOnly: boolean;
      /** Consumes this approval: still approved, unused, and not later than its answer plus `useForMs`. */
      readonly use?: { readonly askId: string };
      /** From now on this person's calls of the tool run unasked in the session. */
      readonly grant?: Grant;
    }
  | { readonly move: 'call.retry'; readonly id: CallId }
  | {
      readonly move: 'call.end';
      readonly id: CallId;
      readonly outcome: Outcome;
      /** Keep the whole outcome: it stands in no message. */
      readonly keep: boolean;
      /** `raise`: it may have happened, so the same call is asked about from now on; `clear`: it surely has now. */
      readonly doubt?: { readonly kind: 'raise' | 'clear'; readonly toolKey: string; readonly argumentsDigest: string };
    };

interface Decided {
  readonly toolKey: string;
  readonly input: JsonObject;
  readonly argumentsDigest: string;
  readonly definitionDigest: string;
}

export interface Grant {
  readonly sessionKey: string;
  readonly principalId: string;
  readonly toolKey: string;
  readonly definitionDigest: string;
}

/** What one transaction of a turn's holder does, in the order of these members. */
export interface TurnChange {
  /** When all of it happens: milliseconds since the epoch. */
  readonly at: number;
  readonly messages?: readonly Message[];
  readonly entries?: readonly RecordEntry[];
  readonly openAsks?: readonly Ask[];
  readonly withdrawAsks?: readonly { readonly id: string; readonly reason: WithdrawReason }[];
  readonly calls?: readonly CallMove[];
  readonly turn?:
    | { readonly move: 'turn.park'; readonly activeMs: number }
    | {
        /** Its messages join the session's history as one block, unless the session was reset while it ran. */
        readonly move: 'turn.end';
        readonly status: TurnStatus;
        readonly activeMs: number;
        readonly error?: TurnError;
        /** Put the reply into the outbox. */
        readonly reply: boolean;
      };
}

export type Taken =
  /** `alone`: its session has no other turn that has not ended. */
  | { readonly kind: 'running'; readonly epoch: number; readonly alone: boolean }
  | { readonly kind: 'queued' }
  /** This message was taken in before, as that turn. */
  | { readonly kind: 'seen'; readonly turnId: string };

export type Claimed =
  | { readonly kind: 'claimed'; readonly epoch: number; readonly from: 'queued' | 'running' | 'parked' }
  /** Another turn of its session runs or is before it, or it waits for an answer. */
  | { readonly kind: 'busy' }
  /** Ended, unknown, or held by a process that lives. */
  | { readonly kind: 'gone' };

export interface Answered {
  /**
   * `counted`: the ask has this answer now. `late`: it was closed before; nothing changed. `stopping`: a denial that came
   * after the start of the call, which is now asked to stop.
   */
  readonly kind: 'counted' | 'late' | 'stopping';
  /** As it is now. */
  readonly ask: StoredAsk;
}

export interface AskQuery {
  readonly states?: readonly AskState[];
  readonly turnId?: string;
  readonly sessionKey?: string;
}

export interface OpenTurnQuery {
  readonly sessionKey?: string;
  readonly project?: string;
  /** Only those that are wanted to end. */
  readonly cancelled?: true;
}

/**
 * Where sessions, turns, asks, messages and records are kept: the only truth of what happened and what may happen.
 * Asynchronous because a database server is; the SQLite store answers without leaving the tick.
 *
 * Each method is one transaction. `durable` writes are on disk before they resolve; others survive the end of the
 * process, not a power cut, and a later durable one carries them along. Durable by itself: answers, cancels, resets and
 * the end of a turn.
 */
export interface Store {
  /** Names this process among those that use the store. */
  readonly holder: string;
  /** HMAC-SHA-256 of a text under a key that only this store has: 64 hexadecimal digits. */
  sign(text: string): string;

  // ── turns ──
  /**
   * Takes a turn in (and makes its session, when it is new) with its messages: running with epoch 1 when it is not in a
   * lane, or its session has no other turn in the lane that runs or is queued; else queued.
   */
  takeIn(turn: NewTurn, messages: readonly Message[], entries: readonly RecordEntry[]): Promise<Taken>;
  /**
   * Makes this process the holder of a turn, under a new epoch: of a queued one that is the next of its session, of a
   * parked one without open asks, or of one whose lease is lost (its holder is gone or stuck, see `turn-lease.ts`). One
   * in a lane needs the lane: no other turn in it runs. One that is to be cancelled needs neither its place nor the lane.
   * `isRunning`: does this very process still work on that turn?
   */
  claim(turnId: string, at: number, isRunning: (turnId: string) => boolean): Promise<Claimed>;
  /**
   * Changes a turn that this process holds. `approval-gone`: a call was to start with an approval that does not hold any
   * more; nothing was changed. Rejects with a `StoreError` of code `LEASE_LOST` when the turn is not running under this
   * epoch; nothing was changed then either.
   */
  commit(lease: Lease, change: TurnChange, durable: boolean): Promise<'committed' | 'approval-gone'>;
  /**
   * Notes that a turn is wanted to end, and withdraws its open asks. False: it has ended, or there is none. Who holds it
   * ends it; one that nobody holds can be claimed then by whoever noted it.
   */
  requestCancel(turnId: string, cancel: TurnCancel): Promise<boolean>;
  /** Turns that have not ended, oldest first. */
  openTurns(query: OpenTurnQuery): Promise<readonly StoredTurn[]>;
  /**
   * Those of a project that can go on and that nobody works on, oldest first: parked without an open ask; running or
   * queued whose holder is gone; and parked or queued ones that are wanted to end.
   */
  resumable(project: string, at: number, isRunning: (turnId: string) => boolean): Promise<readonly StoredTurn[]>;
  calls(turnId: string): Promise<readonly StoredCall[]>;
  /** Says that this process lives: due every `HEARTBEAT_MS` while it runs turns. */
  beat(at: number): Promise<void>;
  /** Says that this process works on none of its turns any more, though it may live on. */
  leave(): Promise<void>;
  /**
   * Calls `wake` soon (≤ 250 ms) after another process, or another method of this store, changed turns, asks or replies.
   * It may be called without need. Returns how to stop.
   */
  subscribe(wake: () => void): () => void;

  // ── asks ──
  asks(query: AskQuery): Promise<readonly StoredAsk[]>;
  /** By its id or its code (in any case). */
  ask(idOrCode: string): Promise<StoredAsk | undefined>;
  /**
   * Closes an ask, durable. The first valid answer counts, except that a denial wins over an approval that was not used.
   * A denial or expiry also withdraws (`refused`) every open ask of the same turn for the same tool or the same dangerous
   * category, in the same transaction. Undefined: there is no such ask.
   */
  answerAsk(id: string, answer: Answer): Promise<Answered | undefined>;
  /** Asks that are open although their time has passed, to be expired by `answerAsk`. */
  overdueAsks(at: number): Promise<readonly StoredAsk[]>;
  /** Does this person have a grant for the tool as it is? */
  isGranted(grant: Grant): Promise<boolean>;
  /**
   * May this very call have happened already in the session, without anybody knowing? Also of calls that had started in a
   * process that is gone, whose turn nobody has taken up yet.
   */
  isDoubted(sessionKey: string, toolKey: string, argumentsDigest: string, at: number): Promise<boolean>;

  // ── replies ──
  /** Those that are not delivered: pending, and sending by a process that is no more (as `unknown`). Oldest first. */
  replies(project: string): Promise<readonly StoredReply[]>;
  reply(turnId: string): Promise<StoredReply | undefined>;
  /** `sending`: false when another process was faster. `again`: one of unknown fate may be taken too. */
  claimReply(turnId: string, again: boolean): Promise<boolean>;
  settleReply(turnId: string, state: 'delivered' | 'pending'): Promise<void>;

  // ── what happened ──
  /**
   * Messages of turns that were taken in and ended since the session was last reset, oldest first, whole turns only: the
   * newest that fit within `maxTurns` and `maxChars`.
   */
  history(sessionKey: string, maxTurns: number, maxChars: number): Promise<readonly Message[]>;
  /** Adds to the record of a turn, whoever holds it and whether it has ended or not: what came too late to count. */
  note(turnId: string, entries: readonly RecordEntry[]): Promise<void>;
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
   * Ends the session and lets it begin anew, in one transaction that is on disk before it resolves: all its values,
   * grants and doubts are deleted, and its history is empty. False when there is no such session.
   *
   * Nothing else is lost: its turns stay readable by `turn`, `turns`, `messages` and `record`. A turn that has not ended
   * goes on and ends as usual, but since it began in the old talk its messages never join the new history; values that
   * it sets after the reset belong to the new session. `at` is the time of the reset, in milliseconds since the epoch;
   * the session counts as used at that moment.
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
  /**
   * Erases what only running turns need, of turns that ended before `before`: calls with their arguments, asks, delivered
   * replies, the names of taken-in messages, doubts and grants of that age. Messages and records stay.
   */
  erase(before: number): Promise<void>;
  close(): Promise<void>;
}
