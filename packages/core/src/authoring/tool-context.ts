import type { CallId } from '../contracts/call.ts';
import type { PolicyView } from '../contracts/executor.ts';
import type { HistoryMessage } from '../contracts/history-message.ts';
import type { Json } from '../contracts/json.ts';
import type { Locale } from '../contracts/locale.ts';
import type { Origin, Principal } from '../contracts/principal.ts';
import type { Token } from './token.ts';
import type { ToolFetch } from './tool-fetch.ts';

/**
 * The second argument of `execute`: everything that a tool may use of its surroundings. It is the same in this process
 * (`isolation: 'inline'`) and in a child process, except for `$client` and for what `use` can give. After the call has
 * ended it reaches nobody any more.
 */
export interface ToolContext<Config = unknown, Client = unknown> {
  /** Configuration of the plugin that the tool belongs to; what its `setup` sees as `config.get()`. */
  readonly config: Config;
  /**
   * A service that a plugin provides: what `setup` of the tool's own plugin provided in this process, or one of another
   * plugin. In a child process a service of the host is an object of the methods that its provider declared as `remote`:
   * they take and give plain data, are always asynchronous, and reject with an `Error` of the service's message.
   * Throws when there is none; a tool that declares it in `uses` is not loaded then.
   */
  use<Service>(token: Token<Service>): Service;
  /** Where the message came from that this call answers. */
  readonly origin: Origin;
  /** On whose behalf the tool runs. */
  readonly principal: Principal;
  /** The policy in force, to tell people what may be done. Changing it changes nothing. */
  readonly policy: PolicyView;
  /**
   * Asks the person whose message it is, and resolves with the answer: a text, one of `options` where there are some.
   * Absent where nobody can be asked, as in unattended turns. The time until the answer counts against no limit. At most
   * 100 questions a call, numbered in the order in which they are asked, which must be the same each time. Rejects with a
   * {@link QuestionError} when nobody answers in time, or the person does not want to.
   *
   * Ask first, act after: while a turn waits for long, or its process ends, a tool whose hints say that it only reads or
   * is idempotent is stopped and run again later, and gets stored answers back unasked; any other one that is cut off
   * while it asks ends as OUTCOME_UNKNOWN.
   *
   * @example
   * const size = await context.question?.({ text: 'Which size?', options: ['S', 'M', 'L'] });
   */
  readonly question?: (question: ToolQuestion) => Promise<Json>;
  /**
   * The client of the platform that the message came from, typed for a tool whose `platforms` names exactly one that an
   * adapter declares. Only with `isolation: 'inline'`; undefined in a child process and where there is no client.
   */
  readonly $client: Client;
  /** Values of this session only; they are JSON and end with the session. */
  readonly session: ToolSession;
  /**
   * Earlier messages of the session and those of this turn, oldest first, as copies: the newest `limit` (default 50, at
   * most 200) that fit into 200,000 characters.
   */
  history(options?: { readonly limit?: number }): Promise<readonly HistoryMessage[]>;
  /** The language of the person. */
  readonly locale: Locale;
  /** IANA name of the person's time zone, e.g. `Asia/Shanghai`. */
  readonly timeZone: string;
  /** Aborts on time-out, cancel and shutdown. */
  readonly signal: AbortSignal;
  /** Writes to the record of the turn; never to the model. */
  readonly log: ToolLog;
  /** Tells the person who waits how far the call is. JSON. */
  progress(message: Json): void;
  readonly fetch: ToolFetch;
  readonly call: {
    readonly turnId: string;
    readonly callId: CallId;
    readonly toolName: string;
    /** Counts from 1. */
    readonly attempt: number;
    /** The same for every attempt of this call, different for any other call: for services that take such a key. */
    readonly idempotencyKey: string;
  };
  /**
   * Runs another tool for the same person, through every check that a model's call passes, and resolves with its result:
   * JSON, or a `contentParts` object. By its qualified name, or a name as seen from this tool's plugin; hidden and
   * private ones too. At most 5 calls deep and 1,000 of one call, one after another; a tool cannot reach itself again.
   * Rejects with an {@link InvokeError}; uncaught, that ends this call as EXECUTION_ERROR. Ends with this call's signal.
   *
   * @example
   * const weather = await context.invoke('weather', { city: 'Paris' });
   */
  invoke(name: string, input?: { readonly [name: string]: unknown }): Promise<unknown>;
}

/** What a tool asks a person. */
export interface ToolQuestion {
  readonly text: string;
  /** Answers to choose from; absent = any text. */
  readonly options?: readonly string[];
}

export interface ToolSession {
  readonly id: string;
  get(key: string): Promise<Json | undefined>;
  get<Default extends Json>(key: string, fallback: Default): Promise<Json | Default>;
  set(key: string, value: Json): Promise<void>;
  delete(key: string): Promise<void>;
}

export interface ToolLog {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}
