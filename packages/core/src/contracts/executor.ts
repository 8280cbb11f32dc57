import type { CallId } from './call.ts';
import type { CallLimits, ToolCapability } from './capability.ts';
import type { ProvidedService } from './code-host.ts';
import type { Json, JsonObject } from './json.ts';
import type { Locale } from './locale.ts';
import type { Effect, OutcomeCode } from './outcome.ts';
import type { Origin, Principal, Role } from './principal.ts';

/** One run of a tool, as plain data. The same object goes to a child process or another machine. */
export interface CallRequest {
  readonly callId: CallId;
  readonly turnId: string;
  readonly toolName: string;
  /** Counts from 1. */
  readonly attempt: number;
  /** Made by code of another call that waits for it: it may not wait for a process that one of them holds. */
  readonly nested: boolean;
  /** The same for every attempt of this call, different for any other call. */
  readonly idempotencyKey: string;
  readonly input: JsonObject;
  readonly limits: CallLimits;
  readonly origin: Origin;
  readonly principal: Principal;
  readonly sessionKey: string;
  /** Of the tool's plugin: parsed where its plugin was set up in the host, else as written. */
  readonly config: Json;
  readonly policy: PolicyView;
  /** Services of the host that may be used from here, with their methods. */
  readonly services: { readonly [token: string]: readonly string[] };
  readonly locale: Locale;
  readonly timeZone: string;
}

/** The policy in force, as plain data, for code that wants to tell people what it may do. */
export interface PolicyView {
  readonly role: Role;
  /** Can a person be asked in this turn? */
  readonly attended: boolean;
  /** Hosts that `fetch` may reach although they are not public. */
  readonly allowHosts: readonly string[];
  /** Hosts that the tool's own `access` names; empty = any that the policy allows. */
  readonly network: readonly string[];
}

/** What code of a tool may ask of the host while it runs. Arguments and answers are plain data. */
export const contextOperations = [
  'session-get',
  'session-set',
  'session-delete',
  'history',
  'invoke',
  'fetch',
  'service',
  'question',
] as const;
export type ContextOperation = (typeof contextOperations)[number];

/** What running code may ask of the host. Everything that arrives here from a child is untrusted. */
export interface ContextHost {
  /**
   * Answers, or rejects with an error whose message may be shown to the code. While a person is waited for it says so by
   * `hold(true)`, then `hold(false)`: that time counts against no limit of the call.
   */
  ask(
    operation: ContextOperation,
    args: readonly Json[],
    signal: AbortSignal,
    hold?: (waiting: boolean) => void,
  ): Promise<Json | undefined>;
  progress(value: Json): void;
  log(level: LogLevel, message: string): void;
  /** What only code in this process can have. */
  readonly live?: LiveSurroundings;
}

/** What code gets that runs in the same process as its plugin. */
export interface LiveSurroundings {
  use(token: string): ProvidedService | undefined;
  /** The platform's client of the message's adapter, where there is one. */
  readonly client: unknown;
  /** The plugin's configuration as its own schema parsed it. */
  readonly config: unknown;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** What a tool's own validator found wrong. */
export interface ValidationIssue {
  /** JSON pointer into the input; empty = the whole. */
  readonly pointer: string;
  readonly message: string;
}

export type ExecutorEnd =
  | {
      readonly ok: true;
      readonly value: Json | undefined;
      /** The value is a list of content parts. */
      readonly isParts?: boolean;
    }
  | {
      readonly ok: false;
      readonly code: OutcomeCode;
      /** For the model: what the author's code said, no stack and no path of this machine. */
      readonly message: string;
      readonly hint?: string;
      /** Without `effect`: the author's own word, as is then the message, and both are handed on unchanged. */
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
   * `config` is that of the tool's plugin, `nested` as in a call (default false).
   */
  validate(
    tool: ToolCapability,
    input: JsonObject,
    config: Json,
    signal: AbortSignal,
    nested?: boolean,
  ): Promise<readonly ValidationIssue[]>;
  /** Settles exactly once and never rejects: at the latest shortly after the time limit or the abort. */
  run(tool: ToolCapability, request: CallRequest, host: ContextHost, signal: AbortSignal): Promise<ExecutorEnd>;
  close(): Promise<void>;
}
