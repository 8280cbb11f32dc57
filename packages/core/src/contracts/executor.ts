import type { CallId } from './call.ts';
import type { CallLimits, ToolCapability } from './capability.ts';
import type { Json, JsonObject } from './json.ts';
import type { Locale } from './locale.ts';
import type { Effect, OutcomeCode } from './outcome.ts';
import type { Origin, Principal } from './principal.ts';

/** One run of a tool, as plain data. The same object goes to a child process or another machine. */
export interface CallRequest {
  readonly callId: CallId;
  readonly turnId: string;
  readonly toolName: string;
  readonly input: JsonObject;
  readonly limits: CallLimits;
  readonly origin: Origin;
  readonly principal: Principal;
  readonly sessionKey: string;
  readonly config: Json;
  readonly locale: Locale;
  readonly timeZone: string;
}

/** What running code may ask of the host. Everything that arrives here from a child is untrusted. */
export interface ContextHost {
  session(operation: 'get' | 'set' | 'delete', key: string, value?: Json): Promise<Json | undefined>;
  progress(value: Json): void;
  log(level: LogLevel, message: string): void;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** What a tool's own validator found wrong. */
export interface ValidationIssue {
  /** JSON pointer into the input; empty = the whole. */
  readonly pointer: string;
  readonly message: string;
}

export type ExecutorEnd =
  | { readonly ok: true; readonly value: Json | undefined }
  | {
      readonly ok: false;
      readonly code: OutcomeCode;
      /** For the model: what the author's code said, no stack and no path of this machine. */
      readonly message: string;
      readonly hint?: string;
      readonly retryable?: boolean;
      /** For the record only. */
      readonly stack?: string;
      /** Overrides what dispatch derives from the tool's hints; `none` = the code surely did not begin. */
      readonly effect?: Effect;
    };

/** Where code runs. */
export interface Executor {
  readonly kind: 'inline' | 'process';
  /**
   * Runs the tool's own validator, where it has one, within the tool's time limit. Empty = valid.
   * Rejects when the validator itself fails (throws, never ends, cannot be loaded): that is no fault of the input.
   */
  validate(tool: ToolCapability, input: JsonObject, signal: AbortSignal): Promise<readonly ValidationIssue[]>;
  /** Settles exactly once and never rejects: at the latest shortly after the time limit or the abort. */
  run(tool: ToolCapability, request: CallRequest, host: ContextHost, signal: AbortSignal): Promise<ExecutorEnd>;
  close(): Promise<void>;
}
