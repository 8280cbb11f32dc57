import type { Answer, StoredAsk } from './ask.ts';
import type { Json } from './json.ts';
import type { CallId } from './made-call.ts';
import type { MessageKey } from './message-key.ts';
import type { Outcome } from './outcome.ts';
import type { Usage } from './usage.ts';

export type { Usage };

/** How a turn ended. */
export type TurnStatus = 'done' | 'failed' | 'cancelled' | 'limit';

/** Errors of a turn, apart from those of its calls. */
export type TurnErrorCode =
  | 'MODEL_UNAVAILABLE'
  | 'TURN_TIMEOUT'
  | 'MAX_STEPS'
  | 'REPEATED_CALLS'
  | 'ANSWER_CUT'
  | 'CANCELLED'
  | 'INTERNAL';

export interface TurnError {
  readonly code: TurnErrorCode;
  readonly message: MessageKey;
}

type TurnEventBody =
  | { readonly type: 'turn-start'; readonly sessionKey: string; readonly generation: number; readonly model: string }
  /** `restarted`: an earlier process may have begun this step; what it streamed does not count. */
  | { readonly type: 'step-start'; readonly step: number; readonly restarted?: true }
  | { readonly type: 'text-delta'; readonly step: number; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly step: number; readonly text: string }
  | { readonly type: 'tool-start'; readonly callId: CallId; readonly name: string; readonly rawInput: string }
  | { readonly type: 'tool-progress'; readonly callId: CallId; readonly value: Json }
  | { readonly type: 'tool-end'; readonly callId: CallId; readonly name: string; readonly outcome: Outcome }
  /** The turn is another process's by now: what a call came to here is for people, never for the model. */
  | { readonly type: 'late-result'; readonly callId: CallId; readonly outcome: Outcome }
  /** A person is asked, and the turn waits. `holds`: it cannot park meanwhile, since the code that waits cannot run again. */
  | { readonly type: 'ask-open'; readonly ask: StoredAsk; readonly holds?: true }
  | { readonly type: 'ask-closed'; readonly askId: string; readonly answer: Answer }
  /** It waits for a person, or its process ends: it goes on later, in whichever process. Ends the stream. */
  | { readonly type: 'turn-parked'; readonly asks: readonly StoredAsk[] }
  /** First event of a turn that goes on. */
  | { readonly type: 'turn-resumed'; readonly sessionKey: string; readonly generation: number; readonly model: string }
  | { readonly type: 'turn-end'; readonly status: TurnStatus; readonly error?: TurnError; readonly usage: Usage };

/** What surfaces are told while a turn runs: one typed stream for all of them. `seq` counts from 0 without gaps. */
export type TurnEvent = { readonly turnId: string; readonly seq: number; readonly at: number } & TurnEventBody;

/** A turn event before it is numbered. */
export type UnnumberedTurnEvent = TurnEventBody;
