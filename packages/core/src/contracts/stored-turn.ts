import type { JsonObject } from './json.ts';
import type { Locale } from './locale.ts';
import type { CallId } from './made-call.ts';
import type { Effect, Outcome, OutcomeCode } from './outcome.ts';
import type { Origin, Principal } from './principal.ts';
import type { TurnError, TurnStatus } from './turn-event.ts';
import type { CallState } from './turn-machine.ts';

/** What any process needs to go on with a turn. */
export interface StoredRequest {
  readonly origin: Origin;
  readonly principal: Principal;
  /** Is there somebody at hand who can be asked? */
  readonly attended: boolean;
  /** A direct call has no model: which tool, with which arguments. */
  readonly call?: { readonly toolName: string; readonly rawInput: string };
  /** The end is to be delivered to where the message came from (outbox), whoever ends the turn. */
  readonly deliver: boolean;
  /** Of the person, as of when it was taken in. Absent in turns of older versions: those of whoever goes on with it. */
  readonly locale?: Locale;
  readonly timeZone?: string;
}

export interface StoredTurn {
  readonly id: string;
  readonly sessionKey: string;
  /** Ended = one of {@link TurnStatus}. */
  readonly status: 'queued' | 'running' | 'parked' | TurnStatus;
  /** When it was taken in. */
  readonly startedAt: number;
  readonly endedAt?: number;
  /** The process that runs it, or ran it last, as `store.holder` of that process. */
  readonly holder: string;
  /** Counts the processes that took it; what an earlier one writes is refused. */
  readonly epoch: number;
  /** Takes part in the session's order: of these one runs at a time. Direct calls do not. */
  readonly inLane: boolean;
  /** Names the project whose runtimes may take it up. */
  readonly project: string;
  readonly request: StoredRequest;
  /** Milliseconds that it worked, waiting for people not counted, as of its last park. */
  readonly activeMs: number;
  /** Somebody wants it to end. */
  readonly cancel?: TurnCancel;
  /** Why it ended without an answer. */
  readonly error?: TurnError;
}

export interface TurnCancel {
  readonly at: number;
  readonly by: string;
  readonly reason: 'asked' | 'superseded';
}

/** What is kept of a call while its turn is under way, and for `state.retentionMs` after: the truth, not redacted. */
export interface StoredCall {
  readonly id: CallId;
  readonly state: CallState;
  /** Key of the tool; absent before it was decided on. */
  readonly toolKey?: string;
  /** The input that was decided on; exactly this will run. */
  readonly input?: JsonObject;
  readonly argumentsDigest?: string;
  readonly definitionDigest?: string;
  /** The approval that it waits for, or has. */
  readonly askId?: string;
  /** Runs that were begun. */
  readonly attempts: number;
  readonly readOnly?: boolean;
  readonly status?: 'success' | 'error';
  readonly effect?: Effect;
  readonly code?: OutcomeCode;
  /** Only of calls whose outcome stands in no message: direct calls, and those that code made. */
  readonly outcome?: Outcome;
}
