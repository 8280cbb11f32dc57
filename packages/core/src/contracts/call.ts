import type { CapabilityTable } from './capability-table.ts';
import type { Json } from './json.ts';
import type { Locale } from './locale.ts';
import type { Outcome } from './outcome.ts';
import type { Admitted, Facts } from './policy.ts';
import type { RecordEntry } from './record-entry.ts';
import type { SessionValues } from './session.ts';

/** `<turn>.<step>.<index>`: ours, never the provider's tool call id (that one is only echoed back). */
export type CallId = `${string}.${number}.${number}`;

/** One tool run that a model (or code) asked for. */
export interface Call {
  readonly id: CallId;
  readonly turnId: string;
  readonly step: number;
  readonly index: number;
  readonly providerCallId: string;
  /** As the model wrote it; may name nothing. */
  readonly toolName: string;
  /** The arguments as the model wrote them; may not be JSON. */
  readonly rawInput: string;
}

/** What dispatch needs from above, as values. */
export interface CallScope {
  readonly table: CapabilityTable;
  readonly admitted: Admitted;
  readonly facts: Facts;
  /** May hidden tools be called by name? True for code, false for models. */
  readonly hiddenCallable: boolean;
  readonly sessionKey: string;
  /** The configuration of the plugin that owns the tool. */
  readonly config: Json;
  readonly session: SessionValues;
  /** How often each call was made in this turn, by tool and arguments. */
  readonly repeats: Map<string, number>;
  readonly signal: AbortSignal;
  readonly locale: Locale;
  readonly timeZone: string;
  readonly now: () => number;
  /** Tells the record. `durable`: on disk before it resolves. */
  readonly record: (entry: RecordEntry, durable: boolean) => Promise<void>;
  readonly progress: (value: Json) => void;
}

/** Brings a call to its end. Never throws. */
export type RunCall = (call: Call, scope: CallScope) => Promise<Outcome>;
