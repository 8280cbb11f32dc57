import type { Turn } from './agent/index.ts';
import type { LoadedConfig } from './config/index.ts';
import type { CapabilityTable } from './contracts/capability-table.ts';
import type { Locale } from './contracts/locale.ts';
import type { Message } from './contracts/message.ts';
import type { Outcome } from './contracts/outcome.ts';
import type { Problem } from './contracts/problem.ts';
import type { RecordEntry } from './contracts/record-entry.ts';
import type { StoredSession, StoredTurn } from './contracts/store.ts';
import type { CallInput, CallOptions, RunRequest } from './runtime-options.ts';
import type { ReloadResult } from './runtime-reload.ts';

/** Everything that `createRuntime` made, ready to answer. */
export interface Runtime {
  /** Of the generation that serves now. */
  readonly table: CapabilityTable;
  /** Warnings of the generation that serves now; a fatal problem would have kept it from being made. */
  readonly problems: readonly Problem[];
  readonly model: { readonly name: string; readonly offline: boolean };
  /** Language of system texts. */
  readonly locale: Locale;
  /** The configuration that counts now, with the origin of each value. Holds secrets: show it by `showConfig`. */
  readonly configuration: LoadedConfig;
  /** What the newest reload led to; undefined before the first. */
  readonly lastReload: ReloadResult | undefined;
  /** Generations that are in use: the one that serves, and those that turns under way still hold. */
  readonly livingGenerations: number;
  /** Answers a message. Turns of one session run one at a time, in the order of these calls. */
  run(request: RunRequest): Turn;
  /** Runs one tool by name through the whole dispatch, hidden and private ones too. Never rejects for what a tool did. */
  call(name: string, input: CallInput, options?: CallOptions): Promise<Outcome>;
  /**
   * Loads the project and its configuration anew. What is right becomes the next generation as a whole; with a fatal
   * problem nothing changes. Turns under way keep the generation that they began with.
   */
  reload(): Promise<ReloadResult>;
  /** Forgets what the session's tools kept, and begins its history anew. False = there is no such session. */
  resetSession(session: string): Promise<boolean>;
  /** Newest first. */
  sessions(limit?: number): Promise<readonly StoredSession[]>;
  /** Newest first. */
  turns(session?: string, limit?: number): Promise<readonly StoredTurn[]>;
  turn(turnId: string): Promise<StoredTurn | undefined>;
  messages(turnId: string): Promise<readonly Message[]>;
  /** The append-only account of a turn. */
  record(turnId: string): Promise<readonly RecordEntry[]>;
  /** Takes no new work, waits for what is under way, disposes plugins, ends child processes, closes the store. */
  close(): Promise<void>;
}
