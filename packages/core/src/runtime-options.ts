import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { TurnLimits } from './agent/index.ts';
import type { AgentTool } from './authoring/index.ts';
import type { CapabilitySource } from './contracts/capability-source.ts';
import type { ConfigInput } from './contracts/config-input.ts';
import type { Json, JsonObject } from './contracts/json.ts';
import type { Locale } from './contracts/locale.ts';
import type { Origin, Principal } from './contracts/principal.ts';
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
  /** The platform's client of whoever sent the message: `context.$client` of tools in this process. */
  readonly client?: unknown;
}

export interface RunRequest extends RequestBase {
  /** The message. At most 1,048,576 characters. */
  readonly text: string;
}

export interface CallOptions extends RequestBase {
  readonly onProgress?: (value: Json) => void;
}

/** Arguments of a call: an object, or its JSON text, in which integers of any size keep their digits. */
export type CallInput = JsonObject | string;
