import type { CallId } from '../contracts/call.ts';
import type { Json } from '../contracts/json.ts';
import type { Locale } from '../contracts/locale.ts';
import type { Origin, Principal } from '../contracts/principal.ts';

/** The second argument of `execute`: everything that a tool may use of its surroundings. */
export interface ToolContext<Config = unknown> {
  /** Configuration of the plugin that the tool belongs to. */
  readonly config: Config;
  /** Where the message came from that this call answers. */
  readonly origin: Origin;
  /** On whose behalf the tool runs. */
  readonly principal: Principal;
  /** Values of this session only; they are JSON and end with the session. */
  readonly session: ToolSession;
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
  readonly call: { readonly turnId: string; readonly callId: CallId; readonly toolName: string };
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
