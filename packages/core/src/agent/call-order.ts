import type { CallId } from '../contracts/call.ts';
import type { StepOrder } from '../contracts/step-order.ts';
import type { TurnActivity } from './turn-activity.ts';

/** Calls that only read and run at the same time. */
const SIDE_BY_SIDE = 4;

interface Place {
  readonly decided: PromiseWithResolvers<void>;
  /** True = parked. */
  readonly ended: PromiseWithResolvers<boolean>;
  /** Set once it takes one of the places of those that only read. */
  passes: boolean;
}

/**
 * The order of the calls of one step: decided one after another, started in call order. A call that only reads waits for
 * no other one; any other waits until all before it have ended.
 */
export class CallOrder implements StepOrder {
  readonly #places: ReadonlyMap<string, Place>;
  readonly #activity: TurnActivity;
  /** Those that only read and run. */
  #reading = 0;
  readonly #queue: (() => void)[] = [];

  constructor(ids: readonly CallId[], activity: TurnActivity) {
    this.#places = new Map(
      ids.map((id) => [id, { decided: Promise.withResolvers(), ended: Promise.withResolvers(), passes: false }]),
    );
    this.#activity = activity;
  }

  decided(id: CallId): void {
    this.#places.get(id)?.decided.resolve();
  }

  /** When the call has been decided, or has ended. */
  whenDecided(id: CallId): Promise<void> {
    return this.#places.get(id)?.decided.promise ?? Promise.resolve();
  }

  async allDecided(): Promise<void> {
    await Promise.all([...this.#places.values()].map(({ decided }) => decided.promise));
  }

  async mayStart(id: CallId, readOnly: boolean): Promise<boolean> {
    const place = this.#places.get(id);
    if (place === undefined) return true;
    // A lone call has nobody to wait for.
    if (this.#places.size === 1) return true;
    this.#activity.stand(id);
    try {
      await this.allDecided();
      if (readOnly) {
        place.passes = true;
        if (this.#reading >= SIDE_BY_SIDE) await new Promise<void>((resolve) => this.#queue.push(resolve));
        this.#reading += 1;
        return true;
      }
      for (const [before, { ended }] of this.#places) {
        if (before === id) return true;
        if (await ended.promise) return false;
      }
      return true;
    } finally {
      this.#activity.step(id);
    }
  }

  end(id: CallId, parked: boolean): void {
    const place = this.#places.get(id);
    if (place === undefined) return;
    place.decided.resolve();
    place.ended.resolve(parked);
    if (!place.passes) return;
    this.#reading -= 1;
    this.#queue.shift()?.();
  }
}
