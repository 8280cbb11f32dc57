import type { CallId } from '../contracts/call.ts';
import type { Outcome } from '../contracts/outcome.ts';
import { recordableOutcome } from '../dispatch/index.ts';
import { StoreError } from '../store/store-error.ts';
import type { TurnRequest } from './turn-request.ts';

/**
 * Another process took the turn over while a call ran here, and has told its model that nobody knows what became of it.
 * What did is noted in the record and told to people who listen; it never counts as the result.
 */
export async function noteLateResult(
  { store, turn, now, emit }: TurnRequest,
  callId: CallId,
  outcome: Outcome,
  error: unknown,
): Promise<void> {
  if (!StoreError.isInstance(error) || error.code !== 'LEASE_LOST') return;
  emit({ type: 'late-result', callId, outcome });
  const entry = { kind: 'late-result', at: now(), body: { callId, outcome: recordableOutcome(outcome) } };
  // Where not even that can be written there is nobody left to tell.
  await store.note(turn.id, [entry]).catch(() => {});
}
