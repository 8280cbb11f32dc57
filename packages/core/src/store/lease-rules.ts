import { LEASE_MS, STALLED_MS } from '../contracts/turn-lease.ts';
import { placeOf } from './holder-place.ts';
import type { Rows, TurnRow } from './rows.ts';

/** In place of the time at which a process was last heard: it has left, and may yet live on. */
export const LEFT = -1;

export interface LeaseFacts {
  /** This process. */
  readonly holder: string;
  readonly isAlive: (holder: string) => boolean;
  readonly isRunning: (turnId: string) => boolean;
  readonly at: number;
}

/**
 * Does nobody work on the turn any more? Its process has ended or is stuck; or it is this one, which does not know it
 * (its end could not be written).
 */
export function isLeaseLost(turn: TurnRow, rows: Rows, { holder, isAlive, isRunning, at }: LeaseFacts): boolean {
  if (turn.holder === holder) return !isRunning(turn.id);
  // Elsewhere (another container, an earlier boot) process ids mean other processes: only its word counts.
  const isHere = isOfHere(turn.holder, holder);
  if (isHere && !isAlive(turn.holder)) return true;
  const beat = rows.beatOf(turn.holder);
  if (beat === LEFT) return true;
  const heard = Math.max(turn.takenAt, beat ?? 0);
  return at - heard > (isHere ? STALLED_MS : LEASE_MS);
}

/** Has the process that sends a reply ended? Elsewhere it counts as ended when nothing was heard of it lately. */
export function isSenderGone(
  sender: string,
  rows: Rows,
  { holder, isAlive, at }: Omit<LeaseFacts, 'isRunning'>,
): boolean {
  if (sender === holder) return false;
  return isOfHere(sender, holder) ? !isAlive(sender) : at - (rows.beatOf(sender) ?? 0) > LEASE_MS;
}

function isOfHere(holder: string, own: string): boolean {
  const place = placeOf(holder);
  return place !== undefined && place === placeOf(own);
}
