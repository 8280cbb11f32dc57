import type { Turn, TurnResult } from './agent/index.ts';
import type { LoadedConfig } from './config/index.ts';
import type { StoredAsk } from './contracts/ask.ts';
import type { CapabilityTable } from './contracts/capability-table.ts';
import type { Locale } from './contracts/locale.ts';
import type { Message } from './contracts/message.ts';
import type { Outcome } from './contracts/outcome.ts';
import type { Problem } from './contracts/problem.ts';
import type { RecordEntry } from './contracts/record-entry.ts';
import type { StoredReply } from './contracts/reply.ts';
import type { AskQuery, StoredSession } from './contracts/store.ts';
import type { StoredCall, StoredTurn } from './contracts/stored-turn.ts';
import type {
  AnswerBy,
  AnswerInput,
  AnswerResult,
  CallInput,
  CallOptions,
  CancelResult,
  CancelTarget,
  CloseOptions,
  RunRequest,
} from './runtime-options.ts';
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
  /**
   * Runs one tool by name through the whole dispatch, hidden and private ones too. Never rejects for what a tool did.
   * While a person is asked (`onAsk`) it waits, however long that takes; when the runtime closes meanwhile it rejects
   * with code `PARKED`, and the call goes on with the next runtime on this store.
   */
  call(name: string, input: CallInput, options?: CallOptions): Promise<Outcome>;
  /** Asks (approvals and questions), oldest first; those that are open when nothing else is said. */
  asks(query?: AskQuery): Promise<readonly StoredAsk[]>;
  /** By its id or its code. */
  ask(idOrCode: string): Promise<StoredAsk | undefined>;
  /**
   * Answers an ask, whichever process it comes from. Never rejects for who answers or when: `status` says what became of
   * the answer.
   *
   * @example
   * const { status, reason } = await runtime.answer('K7M2QD', { approve: true }, { principal });
   */
  answer(idOrCode: string, input: AnswerInput, by?: AnswerBy): Promise<AnswerResult>;
  /**
   * Ends a turn, or what runs and waits in the lane of a session, in whichever process. Parked turns of a session are
   * left alone; by its id a parked one is ended too.
   */
  cancel(target: CancelTarget, by?: AnswerBy): Promise<CancelResult>;
  /**
   * Resolves when the turn has ended, in whichever process: what it came to. Rejects when there is no such turn, or with
   * the signal's reason.
   */
  ended(turnId: string, signal?: AbortSignal): Promise<TurnResult>;
  /** Takes up what can go on: turns whose answer is there, and those of processes that are no more. */
  takeUp(): Promise<readonly Turn[]>;
  /** Replies that could not be delivered yet, and those whose fate is unknown. */
  replies(): Promise<readonly StoredReply[]>;
  /** The stored state of the calls of a turn. */
  calls(turnId: string): Promise<readonly StoredCall[]>;
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
  /**
   * Takes no new work, parks turns that wait for a person, waits for the others, disposes plugins, ends child processes,
   * closes the store. After `graceMs` (default: no limit) what still runs is cut off and parks, for the next process.
   */
  close(options?: CloseOptions): Promise<void>;
}
