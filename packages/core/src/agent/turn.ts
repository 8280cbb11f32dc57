import type { TurnEvent } from '../contracts/turn-event.ts';
import type { TurnResult } from './turn-request.ts';

/**
 * A turn under way. Iterate it for its events (each reader gets all of them from the first), or await its result.
 *
 * @example
 * const turn = runtime.run({ text: '5 km in miles?' });
 * for await (const event of turn) if (event.type === 'text-delta') process.stdout.write(event.text);
 * const { status } = await turn.result;
 */
export interface Turn extends AsyncIterable<TurnEvent> {
  readonly id: string;
  readonly sessionKey: string;
  /** Settles when the turn has ended and is stored. Rejects only when the store fails or the runtime is closed. */
  readonly result: Promise<TurnResult>;
}
