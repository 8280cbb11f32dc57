export { createMemoryStore } from './create-memory-store.ts';
export { createSqliteStore, type SqliteStoreOptions } from './create-sqlite-store.ts';
export { StoreError, type StoreErrorCode } from './store-error.ts';
