/**
 * Every way in which a turn, a call or an ask may change, and no other: stores refuse a change that is not in this
 * table, and each entry has a failpoint before and behind its commit (`<name>:before`, `<name>:after`).
 *
 *     turn  queued → running ⇄ parked → ended
 *     call  proposed → [awaiting →] ready → started → ended
 *     ask   open → approved | denied | answered | expired | withdrawn
 *
 * `null` = the row is made. Changes of turns and calls are made by whoever holds the turn's lease, in one transaction
 * with what they mean; asks are closed by anybody who may, in a transaction of their own.
 */
export const transitions = {
  /** A message was taken in while another turn of its session runs. */
  'turn.queue': { of: 'turn', from: [null], to: 'queued' },
  'turn.begin': { of: 'turn', from: [null, 'queued'], to: 'running' },
  /** It waits for a person, or its process ends: it gives everything back. */
  'turn.park': { of: 'turn', from: ['running'], to: 'parked' },
  'turn.resume': { of: 'turn', from: ['parked'], to: 'running' },
  /** The process that ran it is no more. */
  'turn.take-over': { of: 'turn', from: ['running'], to: 'running' },
  'turn.end': { of: 'turn', from: ['running'], to: 'ended' },
  'call.propose': { of: 'call', from: [null], to: 'proposed' },
  'call.await': { of: 'call', from: ['proposed', 'awaiting', 'ready'], to: 'awaiting' },
  'call.ready': { of: 'call', from: ['proposed', 'awaiting'], to: 'ready' },
  'call.start': { of: 'call', from: ['ready'], to: 'started' },
  /** Run again by another process: only of tools that may. */
  'call.retry': { of: 'call', from: ['started'], to: 'started' },
  'call.end': { of: 'call', from: ['proposed', 'awaiting', 'ready', 'started'], to: 'ended' },
  'ask.open': { of: 'ask', from: [null], to: 'open' },
  'ask.approve': { of: 'ask', from: ['open'], to: 'approved' },
  /** A denial wins over an approval that was not used yet. */
  'ask.deny': { of: 'ask', from: ['open', 'approved'], to: 'denied' },
  'ask.answer': { of: 'ask', from: ['open'], to: 'answered' },
  'ask.expire': { of: 'ask', from: ['open'], to: 'expired' },
  'ask.withdraw': { of: 'ask', from: ['open', 'approved'], to: 'withdrawn' },
} as const satisfies Readonly<Record<string, Transition>>;

interface Transition {
  readonly of: 'turn' | 'call' | 'ask';
  readonly from: readonly (string | null)[];
  readonly to: string;
}

export type TransitionName = keyof typeof transitions;
export type TurnState = 'queued' | 'running' | 'parked' | 'ended';
export type CallState = 'proposed' | 'awaiting' | 'ready' | 'started' | 'ended';
export type AskState = 'open' | 'approved' | 'denied' | 'answered' | 'expired' | 'withdrawn';
/** Where a process can be made to end itself: before or behind the commit of a transition. */
export type Failpoint = `${TransitionName}:${'before' | 'after'}`;
