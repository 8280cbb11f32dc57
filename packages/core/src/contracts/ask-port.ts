import type { ApprovalLevel, ToolCapability } from './capability.ts';
import type { Json, JsonObject } from './json.ts';
import type { Call } from './made-call.ts';
import type { MessageKey } from './message-key.ts';

export interface ApprovalRequest {
  readonly call: Call;
  readonly tool: ToolCapability;
  /** Exactly this will run. */
  readonly input: JsonObject;
  readonly argumentsDigest: string;
  readonly level: ApprovalLevel;
  readonly needsPerson: boolean;
  /** A model may judge it first. */
  readonly review: boolean;
  readonly reasons: readonly MessageKey[];
  /** Code that waits for this call can be run again, or there is none: the turn may park meanwhile. */
  readonly mayPark: boolean;
}

export type ApprovalAnswer =
  | { readonly kind: 'approved'; readonly askId: string }
  | { readonly kind: 'denied'; readonly askId: string; readonly reason?: string }
  | { readonly kind: 'expired'; readonly askId: string }
  /** Refused with another one, or its turn ended. */
  | { readonly kind: 'refused'; readonly askId: string }
  /** What it was asked about changed meanwhile: decide the call again. */
  | { readonly kind: 'again' }
  /** The turn gives everything back; the ask stays open, and the call stays as it is. */
  | { readonly kind: 'parked' };

export interface QuestionRequest {
  readonly call: Call;
  readonly tool: ToolCapability;
  /** Counts the questions of one call from 1. */
  readonly ordinal: number;
  readonly text: string;
  readonly options?: readonly string[];
  /** The code that asks can be run again: the turn may park meanwhile. */
  readonly mayPark: boolean;
}

export type QuestionAnswer =
  | { readonly kind: 'answered'; readonly value: Json }
  | { readonly kind: 'expired' }
  /** The question was denied (its person wants none of it), or its turn ended. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'parked' };

/** How calls ask people. Both wait as long as it takes; an abort of the signal rejects with its reason. */
export interface AskPort {
  /** Is somebody at hand who can be asked questions? */
  readonly attended: boolean;
  /** Can an approval be asked for, now or later? */
  readonly canAsk: boolean;
  approval(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer>;
  question(request: QuestionRequest, signal: AbortSignal): Promise<QuestionAnswer>;
}
