import type { ToolCapability } from './capability.ts';
import type { CallId } from './made-call.ts';
import type { CallMove } from './store.ts';
import type { StoredCall } from './stored-turn.ts';

/** The stored state of the calls of one turn, for the process that holds it. */
export interface CallLedger {
  find(id: CallId): StoredCall | undefined;
  /**
   * Makes the moves in one transaction; the row of a call that has none is made along. `durable`: on disk before it
   * resolves. `approval-gone`: see `Store.commit`. Rejects when the turn is not this process's any more.
   */
  move(moves: readonly CallMove[], durable: boolean): Promise<'committed' | 'approval-gone'>;
  /** HMAC of the canonical arguments under the store's key. */
  argumentsDigest(canonical: string): string;
  isGranted(tool: ToolCapability): Promise<boolean>;
  isDoubted(tool: ToolCapability, argumentsDigest: string): Promise<boolean>;
  /** An ask of this turn for the same tool, or the same dangerous category, was denied or expired. */
  wasRefused(tool: ToolCapability): boolean;
}
