import type { CallId } from '../contracts/call.ts';
import type { CapabilityTable } from '../contracts/capability-table.ts';
import type { CallMove } from '../contracts/store.ts';
import { callEnd } from '../dispatch/index.ts';
import { unendedOutcome } from './end-calls.ts';
import type { TurnLedger } from './turn-ledger.ts';

/**
 * A call has ended, so the calls that its code made have too: those that were left (it was cut off, or took another way
 * when it ran again) get their one outcome.
 */
export function endBelow(id: CallId, ledger: TurnLedger, table: CapabilityTable): readonly CallMove[] {
  return ledger.below(id).map((call) => {
    const tool = call.toolKey === undefined ? undefined : table.get(call.toolKey);
    return callEnd(call, unendedOutcome(call.toolKey ?? call.id, call), tool, true);
  });
}
