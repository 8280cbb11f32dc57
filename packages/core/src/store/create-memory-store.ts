import type { Store } from '../contracts/store.ts';
import { createHolder } from './create-holder.ts';
import { MemoryStore, type MemoryStoreParts } from './memory-store.ts';

export type MemoryStoreOptions = Omit<MemoryStoreParts, 'holder'>;

/**
 * A store that lives and ends with this process; nothing is written to disk.
 *
 * Messages that it is given are kept as they are and deeply frozen, so that nobody can alter what is stored; record
 * entries are kept as they are and must not be changed after they were handed over.
 *
 * @example
 * const store = createMemoryStore();
 * await store.sessions(10); // []
 */
export function createMemoryStore(options: MemoryStoreOptions = {}): Store {
  return new MemoryStore({ ...options, holder: createHolder() });
}
