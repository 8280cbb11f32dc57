import type { Origin, Principal } from './principal.ts';
import type { TurnError, TurnStatus } from './turn-event.ts';

/**
 * What a turn came to, for whoever cannot wait for it: written in the transaction that ends the turn.
 * `pending` → `sending` → `delivered` | `unknown` (the process ended while it sent; shown, not repeated).
 */
export interface StoredReply {
  readonly turnId: string;
  readonly sessionKey: string;
  readonly project: string;
  readonly origin: Origin;
  readonly principal: Principal;
  readonly status: TurnStatus;
  readonly error?: TurnError;
  readonly endedAt: number;
  readonly state: 'pending' | 'sending' | 'delivered' | 'unknown';
}

/** A reply with what is said in it. */
export interface Reply extends StoredReply {
  /**
   * What to show: everything that the model said, its steps joined by a blank line, and why the turn ended without an
   * answer, in the language of its person.
   */
  readonly text: string;
}

/** How a program delivers replies of turns whose caller did not wait: an adapter, a terminal. */
export interface ReplyChannel {
  /** Does this program reach the place that it is for? Others leave it to those who do. */
  reaches(reply: StoredReply): boolean;
  /** Resolves when it is delivered. Rejects when it surely was not: it is tried again later. */
  send(reply: Reply, signal: AbortSignal): Promise<void>;
  /** The platform drops a reply that it has already: one whose fate is unknown is then sent again. */
  readonly deduplicates?: boolean;
}
