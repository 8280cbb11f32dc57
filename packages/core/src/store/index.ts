export { createFailpoint } from './create-failpoint.ts';
export { createMemoryStore } from './create-memory-store.ts';
export { createSqliteStore } from './create-sqlite-store.ts';
export { StoreError } from './store-error.ts';
