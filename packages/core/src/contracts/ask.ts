import type { ApprovalLevel, DangerCategory } from './capability.ts';
import type { Json } from './json.ts';
import type { CallId } from './made-call.ts';
import type { MessageKey } from './message-key.ts';
import type { Origin, Principal } from './principal.ts';
import type { AskState } from './turn-machine.ts';

/**
 * What an approval shows: everything that will happen, in texts that are safe to print. Made once, when the ask is
 * opened; nothing of it changes afterwards.
 */
export interface AskCard {
  /** Qualified name of the tool. */
  readonly tool: string;
  /** A title that people gave it, where it has one. */
  readonly title?: string;
  readonly description: string;
  /** The exact arguments as canonical JSON, secrets masked, invisible characters written as escapes. Never folded. */
  readonly arguments: string;
  readonly level: ApprovalLevel;
  readonly dangerous: boolean;
  readonly category?: DangerCategory;
  /** Why it is asked: level, danger, doubt … Most severe first. */
  readonly reasons: readonly MessageKey[];
  /** What will be touched. */
  readonly touches: readonly { readonly kind: 'path' | 'host' | 'command' | 'service'; readonly value: string }[];
}

/** What a question shows. */
export interface QuestionCard {
  /** Qualified name of the tool that asks. */
  readonly tool: string;
  /** As the tool wrote it, invisible characters written as escapes. At most 4,000 characters. */
  readonly text: string;
  /** Answers to choose from; absent = any text. */
  readonly options?: readonly string[];
}

interface AskBase {
  /** Approval: HMAC under the store's key of call, definition, arguments and round; question: of call, ordinal, text, options. */
  readonly id: string;
  readonly callId: CallId;
  readonly turnId: string;
  readonly sessionKey: string;
  /** Key of the tool in the table. */
  readonly toolKey: string;
  /** On whose behalf the call is made. */
  readonly from: Principal;
  readonly origin: Origin;
  /** Milliseconds since the epoch, as are all times here. */
  readonly openedAt: number;
  /** An ask that is open by then expires. */
  readonly answerBy: number;
}

export interface ApprovalAsk extends AskBase {
  readonly kind: 'approval';
  readonly card: AskCard;
  readonly definitionDigest: string;
  readonly argumentsDigest: string;
  /** No reviewer, grant or programme may answer it: an authenticated person only. */
  readonly needsPerson: boolean;
  /** Milliseconds after the answer within which it must be used; after that it is asked again. */
  readonly useForMs: number;
}

export interface QuestionAsk extends AskBase {
  readonly kind: 'question';
  readonly card: QuestionCard;
  /** Counts the questions of one call from 1. */
  readonly ordinal: number;
}

/** Something that only a person (or reviewer) can settle. */
export type Ask = ApprovalAsk | QuestionAsk;

/** Who answered. `reviewer` and `framework` stand for what is no person. */
export interface Answerer {
  readonly id: string;
  readonly displayName?: string;
  readonly authentication: Principal['authentication'] | 'reviewer';
}

export type Answer =
  | { readonly kind: 'approved' | 'denied'; readonly by: Answerer; readonly at: number; readonly reason?: string }
  | { readonly kind: 'answered'; readonly by: Answerer; readonly at: number; readonly value: Json }
  | { readonly kind: 'expired'; readonly at: number }
  | { readonly kind: 'withdrawn'; readonly at: number; readonly reason: WithdrawReason };

/**
 * Why an open ask was closed by nobody's answer. `refused`: another ask of the same turn for the same tool (or the same
 * dangerous category) was denied or expired; `granted`: an approval for the session came meanwhile; `changed`: the tool
 * is not the one that was asked about; `ended`: its turn was cancelled or ended.
 */
export type WithdrawReason = 'refused' | 'granted' | 'changed' | 'ended';

export type StoredAsk = Ask & {
  /** Short, for people to type; unique among all asks of the store; letters and digits that are not mistaken. No secret. */
  readonly code: string;
  readonly state: AskState;
  /** How it was closed; absent while open. */
  readonly answer?: Answer;
  /** When the approval was consumed by the start of its call. */
  readonly usedAt?: number;
  /** Answers that came too late, as they came; at most 20. */
  readonly late?: readonly Answer[];
  /** A denial that came after the start: the call is asked to stop. */
  readonly stopAt?: number;
};
