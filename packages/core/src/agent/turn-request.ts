import type { ApprovalRules } from '../contracts/approval.ts';
import type { ApprovalAsk, StoredAsk } from '../contracts/ask.ts';
import type { CallScope, RunCall } from '../contracts/call.ts';
import type { ToolWire } from '../contracts/capability.ts';
import type { CapabilityTable } from '../contracts/capability-table.ts';
import type { Locale } from '../contracts/locale.ts';
import type { Message } from '../contracts/message.ts';
import type { Admitted, Facts } from '../contracts/policy.ts';
import type { SessionValues } from '../contracts/session.ts';
import type { Store } from '../contracts/store.ts';
import type { StoredTurn } from '../contracts/stored-turn.ts';
import type { TurnError, TurnStatus, UnnumberedTurnEvent, Usage } from '../contracts/turn-event.ts';
import type { ResolvedModel } from '../models/index.ts';
import type { AskTimes } from './ask-times.ts';
import type { AskWatch } from './ask-watch.ts';
import type { ReviewVerdict } from './review-call.ts';
import type { TurnControl } from './turn-control.ts';

export interface TurnLimits {
  /** Model requests in one turn. */
  readonly maxSteps: number;
  /** Milliseconds for a whole turn, without the time that it waits for people; a call that runs is left to its own limit. */
  readonly timeoutMs: number;
  /** Earlier turns of the session that the model sees. */
  readonly historyTurns: number;
  /** Characters of earlier messages, as stored, that the model sees. */
  readonly historyChars: number;
  /** Milliseconds that a turn waits for people before it parks. */
  readonly parkAfterMs: number;
}

/** What calls need of the generation and the message beside the table. */
export type TurnSurroundings = Pick<CallScope, 'configOf' | 'services' | 'urlRules' | 'client'>;

/** Everything that one turn works with while this process holds it. Fixed for that time. */
export interface TurnRequest {
  readonly turn: StoredTurn;
  /** Under which this process holds it. */
  readonly epoch: number;
  /** `new`: just taken in; else what it was when this process took it up. */
  readonly from: 'new' | 'queued' | 'running' | 'parked';
  /** Its messages, where it was just taken in and its session has no other open turn: nothing has to be read. */
  readonly fresh?: readonly Message[];
  /** Somebody in this process waits for its end, which then needs no delivery unless one was asked for. */
  readonly isWaitedFor: boolean;
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
  readonly approval: ApprovalRules;
  readonly askTimes: AskTimes;
  /** An approval can be asked for, now or later. */
  readonly canAsk: boolean;
  readonly mask: (text: string) => string;
  /** Judges calls in mode `reviewer`; absent = nobody does. */
  readonly review?: (ask: ApprovalAsk, signal: AbortSignal) => Promise<ReviewVerdict>;
  readonly keepsRecord: boolean;
  readonly watch: AskWatch;
  readonly control: TurnControl;
  readonly locale: Locale;
  readonly timeZone: string;
  readonly now: () => number;
  readonly emit: (event: UnnumberedTurnEvent) => void;
}

/** How a turn ended. */
export interface TurnResult {
  readonly turnId: string;
  readonly sessionKey: string;
  /** `parked`: it goes on later; `duplicate`: its message was taken in before, as the turn `turnId`. */
  readonly status: TurnStatus | 'parked' | 'duplicate';
  /** Everything that the model said, its steps joined by a blank line. */
  readonly text: string;
  readonly error?: TurnError;
  readonly usage: Usage;
  readonly steps: number;
  /** What a parked turn waits for. */
  readonly asks?: readonly StoredAsk[];
}
