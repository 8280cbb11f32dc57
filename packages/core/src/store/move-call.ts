import type { CallMove } from '../contracts/store.ts';
import type { StoredCall } from '../contracts/stored-turn.ts';
import type { Rows, TurnRow } from './rows.ts';
import type { TransitionLog } from './transition-log.ts';

interface MoveParts {
  readonly rows: Rows;
  readonly log: TransitionLog;
  readonly gone: () => Error;
}

/**
 * One step of one call, at a time in milliseconds since the epoch. `gone`: thrown when it was to start with an approval that does not hold (any more): used,
 * withdrawn, denied, too old, or given for other arguments or another definition.
 */
export function moveCall(turn: TurnRow, move: CallMove, at: number, { rows, log, gone }: MoveParts): void {
  const { sessionKey } = turn;
  const call = rows.call(turn, move.id);
  log.note(move.move, call?.state ?? null, move.id);
  if (move.move === 'call.propose') {
    rows.insertCall(turn, { id: move.id, state: 'proposed', attempts: 0 });
    return;
  }
  const before: StoredCall = call ?? { id: move.id, state: 'proposed', attempts: 0 };
  switch (move.move) {
    case 'call.await':
    case 'call.ready': {
      const { move: name, ...decided } = move;
      rows.updateCall(turn, { ...before, ...decided, state: name === 'call.await' ? 'awaiting' : 'ready' });
      return;
    }
    case 'call.start': {
      const { readOnly, use, grant } = move;
      if (use !== undefined) {
        const ask = rows.ask(use.askId);
        const holds =
          ask?.kind === 'approval' &&
          ask.callId === move.id &&
          ask.definitionDigest === before.definitionDigest &&
          ask.argumentsDigest === before.argumentsDigest &&
          ask.state === 'approved' &&
          ask.usedAt === undefined &&
          at <= (ask.answer?.at ?? 0) + ask.useForMs;
        if (!holds) throw gone();
        rows.updateAsk({ ...ask, usedAt: at });
      }
      if (grant !== undefined) rows.insertGrant(grant, at);
      const askId = use?.askId ?? before.askId;
      rows.updateCall(turn, {
        ...before,
        state: 'started',
        readOnly,
        attempts: 1,
        ...(askId === undefined ? {} : { askId }),
      });
      return;
    }
    case 'call.retry':
      rows.updateCall(turn, { ...before, attempts: before.attempts + 1 });
      return;
    case 'call.end': {
      const { outcome, keep, doubt } = move;
      const { status, effect } = outcome;
      rows.updateCall(turn, {
        ...before,
        state: 'ended',
        status,
        effect,
        ...(outcome.status === 'error' ? { code: outcome.code } : {}),
        ...(keep ? { outcome } : {}),
      });
      if (doubt === undefined) return;
      const { kind, toolKey, argumentsDigest } = doubt;
      if (kind === 'raise') rows.insertDoubt(sessionKey, toolKey, argumentsDigest, at);
      else rows.deleteDoubt(sessionKey, toolKey, argumentsDigest);
    }
  }
}
