import type { TurnEvent, UnnumberedTurnEvent } from '../contracts/turn-event.ts';

/** The event stream of one turn. Everybody who iterates gets every event, from the first, however late they come. */
export interface TurnEvents extends AsyncIterable<TurnEvent> {
  emit(event: UnnumberedTurnEvent, at: number): void;
  /** No event follows. */
  end(): void;
}

export function createTurnEvents(turnId: string): TurnEvents {
  const events: TurnEvent[] = [];
  let ended = false;
  let wake: (() => void) | undefined;
  let change: Promise<void> | undefined;
  const notify = () => {
    wake?.();
    wake = undefined;
    change = undefined;
  };
  return {
    emit(event, at) {
      events.push({ turnId, seq: events.length, at, ...event } as TurnEvent);
      notify();
    },
    end() {
      ended = true;
      notify();
    },
    async *[Symbol.asyncIterator]() {
      for (let next = 0; ; ) {
        const event = events[next];
        if (event !== undefined) {
          next++;
          yield event;
        } else if (ended) {
          return;
        } else {
          change ??= new Promise((resolve) => {
            wake = resolve;
          });
          await change;
        }
      }
    },
  };
}
