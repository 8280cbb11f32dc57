import type { StoredAsk } from '../contracts/ask.ts';
import type { Message } from '../contracts/message.ts';
import type { StoredTurn } from '../contracts/stored-turn.ts';
import { restoreTurn } from './restore-turn.ts';
import type { TurnResult } from './turn-request.ts';

/** What a stored turn came to, or what it waits for. */
export function turnResult(
  turn: StoredTurn,
  messages: readonly Message[],
  asks: readonly StoredAsk[] = [],
): TurnResult {
  const { step, usage, said } = restoreTurn(messages);
  const { id: turnId, sessionKey, status, error } = turn;
  const isOpen = status === 'queued' || status === 'running' || status === 'parked';
  return {
    turnId,
    sessionKey,
    status: isOpen ? 'parked' : status,
    text: said.join('\n\n'),
    ...(error === undefined ? {} : { error }),
    usage,
    steps: step,
    ...(isOpen ? { asks } : {}),
  };
}
