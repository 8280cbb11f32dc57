import type { Call, CallScope } from '../contracts/call.ts';
import type { ToolCapability } from '../contracts/capability.ts';
import type { JsonObject } from '../contracts/json.ts';
import type { Effect, Outcome } from '../contracts/outcome.ts';
import type { StoredCall } from '../contracts/stored-turn.ts';

/** What is known of a call while it passes through the pipeline. Steps fill it in their order. */
export interface CallProgress {
  readonly call: Call;
  readonly scope: CallScope;
  /** Set by `recall`: an earlier process, or an earlier run of the code that makes this call, came as far as that. */
  stored?: StoredCall;
  /** Set by `recall`: the call had started and is run again. */
  isRerun?: boolean;
  /** Set by `resolve`. */
  tool?: ToolCapability;
  /** Set by `parse`, completed with defaults by `validate`; or as stored. */
  input?: JsonObject;
  /** Numbers that a double cannot hold, by JSON pointer; their digits stand in `input` as strings. */
  inexact?: ReadonlyMap<string, string>;
  /** Set by `approve` where they are needed: HMAC of the canonical input. */
  argumentsDigest?: string;
  /** Set by `approve`: the approval with which the call may start. */
  askId?: string;
  /** Set by `approve`: the start makes it a grant for the session. */
  grants?: boolean;
  /** Milliseconds that it waited for people and for its place; they are none of its duration. */
  waitedMs: number;
  /** Set by `execute`: the strongest effect of the calls that the tool's code made. */
  nestedEffect?: Effect;
  /** True from the moment the executor is told. */
  started: boolean;
}

/**
 * What comes out of a layer. `parked`: the call waits, as stored. `again`: it could not start as it was decided; only
 * between `start` and `approve`.
 */
export type StepEnd = Outcome | 'parked' | 'again';

/** One layer of the onion: decides, or hands on to `next`. */
export type Step = (progress: CallProgress, next: () => Promise<StepEnd>) => Promise<StepEnd>;
