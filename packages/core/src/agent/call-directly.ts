import type { Call, CallId, CallScope } from '../contracts/call.ts';
import type { Outcome } from '../contracts/outcome.ts';
import type { Store } from '../contracts/store.ts';
import { text } from '../contracts/texts/text.ts';
import { recordableOutcome } from '../dispatch/index.ts';
import { createTurnRecorder } from './turn-recorder.ts';

interface DirectCall {
  readonly turnId: string;
  readonly toolName: string;
  readonly rawInput: string;
  readonly store: Store;
  readonly runCall: (call: Call, scope: CallScope) => Promise<Outcome>;
  /** Everything of the scope that is not bound to the record. */
  readonly scope: Omit<CallScope, 'record'>;
}

/** One call from code, without a model: the same pipeline, and a record of its own. */
export async function callDirectly({
  turnId,
  toolName,
  rawInput,
  store,
  runCall,
  scope,
}: DirectCall): Promise<Outcome> {
  const { facts, sessionKey, now, table } = scope;
  const recorder = createTurnRecorder(store, turnId);
  const startedAt = now();
  const body = {
    origin: { ...facts.origin },
    principal: { id: facts.principal.id, role: facts.principal.role, authentication: facts.principal.authentication },
    generation: table.generation,
    table: table.digest,
    call: toolName,
    rawInput,
  };
  const turn = { id: turnId, sessionKey, status: 'running', startedAt, holder: store.holder } as const;
  await store.beginTurn(turn, [], [{ kind: 'direct-call', at: startedAt, body }]);
  const id: CallId = `${turnId}.0.0`;
  const call: Call = { id, turnId, step: 0, index: 0, providerCallId: id, toolName, rawInput };
  const outcome = await runCall(call, { ...scope, record: recorder.record });
  const at = now();
  const end = {
    callId: id,
    status: outcome.status,
    effect: outcome.effect,
    outcome: recordableOutcome(outcome),
  };
  void recorder.record({ kind: 'call-end', at, body: end }, false);
  try {
    await store.endTurn(turnId, outcome.status === 'success' ? 'done' : 'failed', at, [], recorder.take());
  } catch {
    // What the tool did is done and known, whatever became of its record: the caller must not lose it.
    if (outcome.status === 'success') return { ...outcome, warnings: [...outcome.warnings, text('agent.record-lost')] };
  }
  return outcome;
}
