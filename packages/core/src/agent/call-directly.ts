import type { Call, CallId } from '../contracts/call.ts';
import type { Outcome } from '../contracts/outcome.ts';
import { text } from '../contracts/texts/text.ts';
import { callEnd, recordableOutcome } from '../dispatch/index.ts';
import { StoreError } from '../store/store-error.ts';
import { endBelow } from './end-below.ts';
import { unendedOutcome } from './end-calls.ts';
import { noteLateResult } from './note-late-result.ts';
import type { TurnRequest } from './turn-request.ts';
import { turnStartBody } from './turn-start-body.ts';
import { TurnWork } from './turn-work.ts';

/** The one call of a turn without a model. */
export function directCallId(turnId: string): CallId {
  return `${turnId}.0.0`;
}

/**
 * Runs one call from code, without a model, from wherever it is stored to have come: the same pipeline, a turn and a
 * record of its own. `parked`: it waits for a person, or another process has it.
 */
export async function callDirectly(request: TurnRequest): Promise<Outcome | 'parked'> {
  const { turn, control, limits, store, now, from, emit } = request;
  const { call: asked } = turn.request;
  if (asked === undefined) throw new Error(`turn ${turn.id} is no direct call`);
  const id = directCallId(turn.id);
  const call: Call = { id, turnId: turn.id, step: 0, index: 0, providerCallId: id, ...asked };
  let opened: TurnWork | undefined;
  let parkTimer: NodeJS.Timeout | undefined;
  const work = await TurnWork.open({
    request,
    byCode: true,
    allDecided: () => Promise.resolve(),
    onWaits: (onlyWaits) => {
      clearTimeout(parkTimer);
      if (!onlyWaits || opened?.activity.mayPark === false) return;
      const afterMs = turn.request.attended && control.parking === 'no' ? limits.parkAfterMs : 0;
      parkTimer = setTimeout(() => opened?.asks.park(), afterMs);
    },
    history: () => store.history(turn.sessionKey, limits.historyTurns, limits.historyChars),
  });
  opened = work;
  const onCancel = () => work.stopAll(control.signal.reason);
  control.signal.addEventListener('abort', onCancel, { once: true });
  if (turn.cancel !== undefined) control.cancel(turn.cancel.reason);
  control.onParking(() => {
    const { onlyWaits, mayPark } = work.activity;
    if (control.parking === 'now' || (onlyWaits && mayPark)) work.asks.park();
    if (control.parking === 'now') work.stopAll(new Error('the program ends'));
  });
  const isNew = from === 'new' || from === 'queued';
  const body = { ...turnStartBody(request), call: asked.toolName, rawInput: asked.rawInput };
  void work.ledger.record({ kind: isNew ? 'direct-call' : 'turn-resumed', at: now(), body }, false);
  try {
    const found = work.ledger.find(id);
    const isCancelled = control.signal.aborted && found !== undefined && found.state !== 'proposed';
    const outcome = isCancelled ? unendedOutcome(asked.toolName, found) : await work.run(call);
    if (outcome === 'parked') {
      const asks = await work.asks.open();
      await work.ledger.commit({ turn: { move: 'turn.park', activeMs: 0 } }, true);
      emit({ type: 'turn-parked', asks });
      return 'parked';
    }
    return await end(request, work, id, outcome);
  } catch (error) {
    if (StoreError.isInstance(error) && error.code === 'LEASE_LOST') return 'parked';
    throw error;
  } finally {
    clearTimeout(parkTimer);
    work.asks.close();
    control.signal.removeEventListener('abort', onCancel);
  }
}

async function end(request: TurnRequest, work: TurnWork, id: CallId, outcome: Outcome): Promise<Outcome> {
  const { now, table, turn, from, control } = request;
  const { ledger } = work;
  const at = now();
  const { status, effect } = outcome;
  const body = { callId: id, status, effect, outcome: recordableOutcome(outcome) };
  void ledger.record({ kind: 'call-end', at, body }, false);
  const isWaitedFor = from !== 'new' || ledger.find(id)?.askId !== undefined;
  const stored = ledger.find(id) ?? { id, state: 'proposed', attempts: 0 };
  // Whoever waits for it in another process reads the outcome from its row; one that nobody can wait for needs none.
  const ends =
    isWaitedFor || stored.state !== 'proposed'
      ? [callEnd(stored, outcome, table.get(turn.request.call?.toolName ?? ''), true)]
      : [];
  ledger.gather([], [...endBelow(id, ledger, table), ...ends]);
  const turnStatus = status === 'success' ? 'done' : control.signal.aborted ? 'cancelled' : 'failed';
  try {
    await ledger.commit({ turn: { move: 'turn.end', status: turnStatus, activeMs: 0, reply: false } }, true);
  } catch (error) {
    await noteLateResult(request, id, outcome, error);
    if (StoreError.isInstance(error) && error.code === 'LEASE_LOST') throw error;
    // What the tool did is done and known, whatever became of its record: the caller must not lose it.
    if (outcome.status === 'success') return { ...outcome, warnings: [...outcome.warnings, text('agent.record-lost')] };
  }
  return outcome;
}
