import type { TurnCancel } from '../contracts/stored-turn.ts';

type Parking = 'no' | 'when-it-waits' | 'now';

/** How a turn under way is ended or put aside from outside. Both may come before the turn listens. */
export class TurnControl {
  readonly #cancel = new AbortController();
  #why: TurnCancel['reason'] | undefined;
  #parking: Parking = 'no';
  #listener: (() => void) | undefined;

  /** Aborts when the turn is cancelled. */
  get signal(): AbortSignal {
    return this.#cancel.signal;
  }

  get cancelledBecause(): TurnCancel['reason'] | undefined {
    return this.#why;
  }

  get parking(): Parking {
    return this.#parking;
  }

  cancel(reason: TurnCancel['reason']): void {
    this.#why ??= reason;
    this.#cancel.abort();
  }

  /** `when-it-waits`: as soon as it only waits for people; `now`: whatever runs is cut off. */
  park(parking: Exclude<Parking, 'no'>): void {
    if (this.#parking === 'now') return;
    this.#parking = parking;
    this.#listener?.();
  }

  /** One listener: the turn. */
  onParking(listener: () => void): void {
    this.#listener = listener;
    if (this.#parking !== 'no') listener();
  }
}
