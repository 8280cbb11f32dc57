import type { StoredReply } from '../contracts/reply.ts';
import type { StoredTurn } from '../contracts/stored-turn.ts';
import type { ReplyRow } from './rows.ts';

/** A reply as it is told: what its turn says, and what became of the delivery. */
export function storedReply(turn: StoredTurn, { state }: ReplyRow): StoredReply {
  const { id: turnId, sessionKey, project, request, status, error, endedAt = 0 } = turn;
  if (status === 'queued' || status === 'running' || status === 'parked') {
    throw new Error(`turn ${turnId} has a reply and has not ended`);
  }
  const { origin, principal } = request;
  return {
    turnId,
    sessionKey,
    project,
    origin,
    principal,
    status,
    endedAt,
    state,
    ...(error === undefined ? {} : { error }),
  };
}
