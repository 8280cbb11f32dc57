import type { Call, CallScope } from '../contracts/call.ts';
import type { ToolCapability } from '../contracts/capability.ts';
import type { JsonObject } from '../contracts/json.ts';
import type { Effect, Outcome } from '../contracts/outcome.ts';

/** What is known of a call while it passes through the pipeline. Steps fill it in their order. */
export interface CallProgress {
  readonly call: Call;
  readonly scope: CallScope;
  /** Set by `resolve`. */
  tool?: ToolCapability;
  /** Set by `parse`, completed with defaults by `validate`. */
  input?: JsonObject;
  /** Numbers that a double cannot hold, by JSON pointer; their digits stand in `input` as strings. */
  inexact?: ReadonlyMap<string, string>;
  /** Set by `execute`: the strongest effect of the calls that the tool's code made. */
  nestedEffect?: Effect;
  /** True from the moment the executor is told. */
  started: boolean;
}

/** One layer of the onion: decides, or hands on to `next`. */
export type Step = (progress: CallProgress, next: () => Promise<Outcome>) => Promise<Outcome>;
