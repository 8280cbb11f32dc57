import { directCallId, type SessionBells, type TurnResult, turnResult } from './agent/index.ts';
import { BaigongError } from './contracts/baigong-error.ts';
import type { Outcome } from './contracts/outcome.ts';
import type { Store } from './contracts/store.ts';
import type { StoredTurn } from './contracts/stored-turn.ts';
import { text } from './contracts/texts/text.ts';
import type { KeepAlive } from './runtime-keep-alive.ts';

/** Any change of a turn, for those who wait for one to end: the bell that is nobody's session. */
export const ANY = '';

export interface TurnEndsOptions {
  readonly store: Store;
  readonly bells: SessionBells;
  readonly keepAlive: KeepAlive;
  /** This process works on it, and may not have written it yet. */
  readonly isBegun: (turnId: string) => boolean;
  /** The runtime closes: what waits for people is left. */
  readonly leaving: AbortSignal;
}

/** Waits for what turns come to, whichever process brings them to their end. */
export class TurnEnds {
  readonly #options: TurnEndsOptions;

  constructor(options: TurnEndsOptions) {
    this.#options = options;
  }

  /** Rejects when there is no such turn, or with the signal's reason. */
  async ended(turnId: string, signal: AbortSignal): Promise<StoredTurn> {
    const { store, bells, keepAlive, isBegun } = this.#options;
    const release = keepAlive.hold();
    try {
      for (;;) {
        const changed = bells.wait(ANY, signal);
        changed.catch(() => {});
        const turn = await store.turn(turnId);
        if (turn === undefined && !isBegun(turnId)) throw unknownTurn(turnId);
        if (turn?.endedAt !== undefined) return turn;
        await changed;
      }
    } finally {
      release();
    }
  }

  /** The outcome of a direct call that parked, once it is there. Rejects with `PARKED` when the runtime closes. */
  async outcome(turnId: string, signal: AbortSignal): Promise<Outcome> {
    const { store, leaving } = this.#options;
    try {
      await this.ended(turnId, AbortSignal.any([signal, leaving]));
    } catch (error) {
      if (!leaving.aborted) throw error;
      const codes = (await store.asks({ turnId, states: ['open'] })).map(({ code }) => code).join(', ');
      throw new BaigongError('PARKED', { reason: text('agent.call-parked', { turn: turnId, codes }) });
    }
    const call = (await store.calls(turnId)).find(({ id }) => id === directCallId(turnId));
    if (call?.outcome === undefined) throw unknownTurn(turnId);
    return call.outcome;
  }

  async result(turnId: string, signal: AbortSignal): Promise<TurnResult> {
    await this.ended(turnId, signal);
    return this.stored(turnId);
  }

  /** As the store has it now. */
  async stored(turnId: string): Promise<TurnResult> {
    const { store } = this.#options;
    const [turn, messages, asks] = await Promise.all([
      store.turn(turnId),
      store.messages(turnId),
      store.asks({ turnId, states: ['open'] }),
    ]);
    if (turn === undefined) throw unknownTurn(turnId);
    return turnResult(turn, messages, asks);
  }
}

function unknownTurn(turn: string): BaigongError {
  return new BaigongError('UNKNOWN_TURN', { reason: text('store.unknown-turn', { turn }) });
}
