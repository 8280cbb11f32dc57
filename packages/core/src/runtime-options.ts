import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { Turn, TurnLimits } from './agent/index.ts';
import type { AgentTool } from './authoring/index.ts';
import type { StoredAsk } from './contracts/ask.ts';
import type { CapabilitySource } from './contracts/capability-source.ts';
import type { ConfigInput } from './contracts/config-input.ts';
import type { Json, JsonObject } from './contracts/json.ts';
import type { Locale } from './contracts/locale.ts';
import type { MessageKey } from './contracts/message-key.ts';
import type { Origin, Principal, Role } from './contracts/principal.ts';
import type { ReplyChannel } from './contracts/reply.ts';
import type { Store } from './contracts/store.ts';
import type { RuntimeNotice } from './runtime-reload.ts';

/** What `createRuntime` takes. Every member may be left out. */
export interface RuntimeOptions {
  /** Folder of the project: everything that it declares is loaded, its `.baigong/` holds the state. */
  readonly project?: string;
  /**
   * Configuration from code, in the form of `baigong.config.ts`. Counts before the files, after the environment. The
   * options below that are configuration too (`model`, `config`, `limits` …) count before it.
   */
  readonly settings?: ConfigInput;
  /** Configuration that counts before everything else, as from a command line: key (`turn.maxSteps`) → value as text. */
  readonly flags?: ReadonlyMap<string, string>;
  /** Folder that holds `.baigong/config.yml`. Default: the user's home where a project is given, else none. */
  readonly home?: string;
  /** Reload when files change, unless the configuration says `reload.watch: false`. Default false. */
  readonly watch?: boolean;
  /** Go on with turns of this project that other processes left, and with parked ones when they can. Default true. */
  readonly takeUp?: boolean;
  /** Told of each turn of others, or parked one, that this runtime goes on with by itself. */
  readonly onTakeUp?: (turn: Turn) => void;
  /** Delivers replies of turns whose caller does not wait any more. Default: they wait in the store. */
  readonly replies?: ReplyChannel;
  /**
   * Reads the role of somebody anew when their parked turn goes on; the lower one of that and the former counts. A
   * rejection counts as `user`. Default: roles are as they were.
   */
  readonly roleOf?: (principal: Principal, origin: Origin) => Role | Promise<Role>;
  /** Told what reloads led to, and that a restart is needed. */
  readonly onNotice?: (notice: RuntimeNotice) => void;
  /** Tools that live in this process, by name. */
  readonly tools?: Readonly<Record<string, AgentTool>>;
  /** Further ways in. */
  readonly sources?: readonly CapabilitySource[];
  /**
   * `provider/model`, or a model of the AI SDK's interface. Default: what the environment configures, else the
   * offline model.
   */
  readonly model?: string | LanguageModelV4;
  /**
   * Where sessions and records are kept. Default: the SQLite file `.baigong/baigong.db` of the project; without a
   * project, the memory of this process.
   */
  readonly store?: Store | 'memory' | { readonly file: string };
  /** Configuration of the root plugin: what its tools, and tools from code, get as `context.config`. */
  readonly config?: JsonObject;
  /** Environment variables that name models and keys. Default: `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Variables that tools in child processes get besides the harmless ones (`PATH`, `LANG` …). Default: none. */
  readonly toolEnvironment?: Readonly<Record<string, string>>;
  /** Language of system texts. Default: as configured, else `en`. */
  readonly locale?: Locale;
  /** Language where neither the options nor the configuration say one. Default `en`. */
  readonly defaultLocale?: Locale;
  /** IANA name. Default: that of this process. */
  readonly timeZone?: string;
  readonly limits?: Partial<TurnLimits>;
  /** Quotas of tools that declare none. */
  readonly callLimits?: { readonly timeoutMs?: number; readonly maxOutputChars?: number };
}

/** Where a message or call comes from and for whom. Default: this program, trusted with everything. */
export interface RequestBase {
  /** Names the conversation. Default: a new one. At most 200 characters. */
  readonly session?: string;
  readonly origin?: Origin;
  readonly principal?: Principal;
  readonly signal?: AbortSignal;
  /**
   * Is somebody at hand who can be asked? Default: in chats (`origin.kind` `im` and `console`) yes, else no. Without
   * anybody, what needs a person is refused at once, unless `approval.unattended` is `wait`.
   */
  readonly attended?: boolean;
  /** The platform's client of whoever sent the message: `context.$client` of tools in this process. */
  readonly client?: unknown;
}

export interface RunRequest extends RequestBase {
  /** The message. At most 1,048,576 characters. */
  readonly text: string;
  /** When a turn of the session runs already: wait (`fifo`), or cancel it (`supersede`). Default: as configured. */
  readonly overlap?: 'fifo' | 'supersede';
  /**
   * The end of the turn goes through `replies` as well, also when this process ends before. Default false: whoever awaits
   * `result` has it. A turn that was parked always ends through `replies`.
   */
  readonly deliver?: boolean;
}

export interface CallOptions extends RequestBase {
  readonly onProgress?: (value: Json) => void;
  /**
   * Told when a person must be asked before the call goes on. `holds`: it cannot be put aside meanwhile, since code that
   * waits cannot run again.
   */
  readonly onAsk?: (ask: StoredAsk, how: { readonly holds: boolean }) => void;
}

/** An approval is approved or denied; a question gets a value, or is denied. */
export type AnswerInput =
  | { readonly approve: true }
  | { readonly approve: false; readonly reason?: string }
  | { readonly value: Json };

/** Who answers or cancels, and where. Default: this program, which is no person. */
export interface AnswerBy {
  readonly principal?: Principal;
  /** The session in which a question is answered. Default: any. */
  readonly session?: string;
}

export interface AnswerResult {
  /**
   * `counted`: it holds now. `late`: the ask was closed before. `stopping`: the call had started; it is asked to stop.
   * `refused`: this one may not answer, or not so. `unknown`: there is no such ask.
   */
  readonly status: 'counted' | 'late' | 'stopping' | 'refused' | 'unknown';
  /** As it is now; absent when unknown. */
  readonly ask?: StoredAsk;
  /** For people. */
  readonly reason: MessageKey;
}

export type CancelTarget = { readonly turn: string } | { readonly session: string };

export interface CancelResult {
  /** Turns that end now. */
  readonly turns: readonly string[];
}

export interface CloseOptions {
  /** Milliseconds that running turns have to end by themselves. */
  readonly graceMs?: number;
}

/** Arguments of a call: an object, or its JSON text, in which integers of any size keep their digits. */
export type CallInput = JsonObject | string;
