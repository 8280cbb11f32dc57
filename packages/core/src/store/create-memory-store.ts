import type { Store } from '../contracts/store.ts';
import { createHolder } from './create-holder.ts';
import { MemoryStore } from './memory-store.ts';

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
export function createMemoryStore(): Store {
  return new MemoryStore({ holder: createHolder() });
}
