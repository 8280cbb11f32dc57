import { LEASE_MS, STALLED_MS } from '../contracts/turn-lease.ts';
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

/** `<pid>:<start>:<random>`: a process of this machine, which can be looked up. */
const LOCAL = /^[1-9]\d{0,9}:\d+:/;

/**
 * Does nobody work on the turn any more? Its process has ended or is stuck; or it is this one, which does not know it
 * (its end could not be written).
 */
export function isLeaseLost(turn: TurnRow, rows: Rows, { holder, isAlive, isRunning, at }: LeaseFacts): boolean {
  if (turn.holder === holder) return !isRunning(turn.id);
  if (!isAlive(turn.holder)) return true;
  const beat = rows.beatOf(turn.holder);
  if (beat === LEFT) return true;
  const heard = Math.max(turn.takenAt, beat ?? 0);
  return at - heard > (LOCAL.test(turn.holder) ? STALLED_MS : LEASE_MS);
}
