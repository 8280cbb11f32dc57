import type { Json } from './json.ts';
import type { MessageKey } from './message-key.ts';

/** Why a call did not succeed. Models and JSON output see it as `error_type`. */
export type OutcomeCode =
  | 'UNKNOWN_TOOL'
  | 'INVALID_ARGUMENTS'
  | 'NOT_PERMITTED'
  | 'ACCESS_DENIED'
  | 'RATE_LIMITED'
  | 'APPROVAL_DENIED'
  | 'APPROVAL_TIMEOUT'
  | 'NEEDS_HUMAN'
  | 'DEFINITION_CHANGED'
  | 'DUPLICATE_CALL'
  | 'TIMEOUT'
  | 'EXECUTION_ERROR'
  | 'UPSTREAM_UNAVAILABLE'
  | 'INVALID_RESULT'
  | 'CANCELLED'
  | 'OUTCOME_UNKNOWN'
  | 'INTERNAL';

/** Did the call touch the world? `none` = surely not: it never started, or its tool only reads. */
export type Effect = 'none' | 'done' | 'unknown';

export type ResultContent =
  | { readonly kind: 'json'; readonly value: Json }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'parts'; readonly value: readonly ContentPart[] };

/** A piece of a result for models that can look at it. `data` is base64. */
export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly mediaType: string; readonly data: string }
  | { readonly type: 'file'; readonly mediaType: string; readonly data: string; readonly name?: string };

export interface SuccessOutcome {
  readonly status: 'success';
  readonly effect: 'none' | 'done';
  readonly result: ResultContent;
  readonly durationMs: number;
  /** Set when the result was cut: its full length in characters. */
  readonly truncated?: { readonly ofChars: number };
  readonly warnings: readonly MessageKey[];
}

export interface ErrorOutcome {
  readonly status: 'error';
  readonly effect: Effect;
  readonly code: OutcomeCode;
  readonly message: MessageKey;
  readonly hint: MessageKey;
  /** May the same call succeed later without any change? */
  readonly retryable: boolean;
  readonly details?: Json;
  readonly durationMs: number;
}

/** The single end of a call. */
export type Outcome = SuccessOutcome | ErrorOutcome;
