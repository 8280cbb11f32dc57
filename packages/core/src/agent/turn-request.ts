import type { CallScope, RunCall } from '../contracts/call.ts';
import type { ToolWire } from '../contracts/capability.ts';
import type { CapabilityTable } from '../contracts/capability-table.ts';
import type { Locale } from '../contracts/locale.ts';
import type { Admitted, Facts } from '../contracts/policy.ts';
import type { SessionValues } from '../contracts/session.ts';
import type { Store } from '../contracts/store.ts';
import type { TurnError, TurnStatus, UnnumberedTurnEvent, Usage } from '../contracts/turn-event.ts';
import type { ResolvedModel } from '../models/index.ts';

export interface TurnLimits {
  /** Model requests in one turn. */
  readonly maxSteps: number;
  /** Milliseconds for a whole turn; a call that runs is left to its own limit. */
  readonly timeoutMs: number;
  /** Earlier turns of the session that the model sees. */
  readonly historyTurns: number;
  /** Characters of earlier messages, as stored, that the model sees. */
  readonly historyChars: number;
}

/** What calls need of the generation and the message beside the table. */
export type TurnSurroundings = Pick<CallScope, 'configOf' | 'services' | 'urlRules' | 'client'>;

/** Everything that one turn works with. Fixed for its whole length. */
export interface TurnRequest {
  readonly id: string;
  readonly sessionKey: string;
  readonly text: string;
  readonly facts: Facts;
  readonly table: CapabilityTable;
  readonly admitted: Admitted;
  readonly tools: readonly ToolWire[];
  readonly model: ResolvedModel;
  readonly store: Store;
  readonly session: SessionValues;
  /** What dispatch gets as it is. */
  readonly surroundings: TurnSurroundings;
  readonly runCall: RunCall;
  readonly limits: TurnLimits;
  readonly locale: Locale;
  readonly timeZone: string;
  readonly signal: AbortSignal;
  /** Does this process still work on that turn? */
  readonly isRunning: (turnId: string) => boolean;
  readonly now: () => number;
  readonly emit: (event: UnnumberedTurnEvent) => void;
}

/** How a turn ended. */
export interface TurnResult {
  readonly turnId: string;
  readonly sessionKey: string;
  readonly status: TurnStatus;
  /** Everything that the model said, its steps joined by a blank line. */
  readonly text: string;
  readonly error?: TurnError;
  readonly usage: Usage;
  readonly steps: number;
}
