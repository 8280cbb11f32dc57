import type { ApprovalRules } from './approval.ts';
import type { AskPort } from './ask-port.ts';
import type { CallLedger } from './call-ledger.ts';
import type { ToolCapability } from './capability.ts';
import type { PluginConfig } from './capability-source.ts';
import type { CapabilityTable } from './capability-table.ts';
import type { ProvidedService } from './code-host.ts';
import type { Json } from './json.ts';
import type { Locale } from './locale.ts';
import type { Call, CallId } from './made-call.ts';
import type { Message } from './message.ts';
import type { Outcome } from './outcome.ts';
import type { Admitted, Facts } from './policy.ts';
import type { RecordEntry } from './record-entry.ts';
import type { SessionValues } from './session.ts';
import type { StepOrder } from './step-order.ts';
import type { UrlRules } from './url-policy.ts';

export type { Call, CallId };

/** What dispatch needs from above, as values. */
export interface CallScope {
  readonly table: CapabilityTable;
  readonly admitted: Admitted;
  readonly facts: Facts;
  /** Code calls hidden and private tools by name; models do not. */
  readonly byCode: boolean;
  readonly sessionKey: string;
  /** The configuration of the plugin that owns the tool. */
  readonly configOf: (tool: ToolCapability) => PluginConfig;
  /** Services of the generation that the turn holds, by name. */
  readonly services: ReadonlyMap<string, ProvidedService>;
  /** What the configuration lets `context.fetch` reach beside the public internet. */
  readonly urlRules: Pick<UrlRules, 'allowHosts' | 'allowFakeIp'>;
  /** The platform's client, for code in this process. */
  readonly client: unknown;
  /** Earlier messages of the session and those of this turn. */
  readonly history: () => Promise<readonly Message[]>;
  /** Calls that wait for this one, outermost first. */
  readonly callers: readonly Call[];
  readonly session: SessionValues;
  /** How often each call was made in this turn, by tool and arguments. */
  readonly repeats: Map<string, number>;
  readonly signal: AbortSignal;
  /** Ends this call: aborts `signal`. */
  readonly stop: (reason: unknown) => void;
  /** Of calls that code makes: all code that waits for this one can be run again. Default true. */
  readonly mayPark?: boolean;
  /** Of calls that code makes: says that a person is waited for, which counts against no limit of that code. */
  readonly hold?: (waiting: boolean) => void;
  /** What is stored of the calls of the turn. */
  readonly ledger: CallLedger;
  readonly asks: AskPort;
  readonly approval: ApprovalRules;
  /** Absent for calls that are alone. */
  readonly order?: StepOrder;
  readonly locale: Locale;
  readonly timeZone: string;
  readonly now: () => number;
  /** Tells the record. `durable`: on disk before it resolves. */
  readonly record: (entry: RecordEntry, durable: boolean) => Promise<void>;
  readonly progress: (value: Json) => void;
}

/**
 * Brings a call to its end, from whatever state it is stored in. Never throws, but for a lost lease: then the turn is not
 * this process's any more. `parked`: it waits, and what is stored says for what.
 */
export type RunCall = (call: Call, scope: CallScope) => Promise<Outcome | 'parked'>;
