import type { Message } from '../contracts/message.ts';
import type { RecordEntry } from '../contracts/record-entry.ts';
import type { Store } from '../contracts/store.ts';

/** Gathers what a turn tells the record, and writes it together with what must be written anyway. */
export interface TurnRecorder {
  /** `durable`: on disk before it resolves, everything gathered so far included. Else with the next write. */
  record(entry: RecordEntry, durable: boolean): Promise<void>;
  /** Writes messages and all that was gathered, in one transaction. */
  commit(messages: readonly Message[]): Promise<void>;
  /** Hands over what was gathered, for the transaction that ends the turn. */
  take(): readonly RecordEntry[];
}

export function createTurnRecorder(store: Store, turnId: string): TurnRecorder {
  let gathered: RecordEntry[] = [];
  const take = () => {
    const entries = gathered;
    gathered = [];
    return entries;
  };
  return {
    record(entry, durable) {
      gathered.push(entry);
      return durable ? store.append(turnId, [], take(), true) : Promise.resolve();
    },
    commit: (messages) => store.append(turnId, messages, take(), false),
    take,
  };
}
