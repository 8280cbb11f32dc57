import { showText } from '../contracts/show-text.ts';
import { text } from '../contracts/texts/text.ts';
import { StoreError } from './store-error.ts';
import { toStoredKey } from './stored-key.ts';

/** The number of a session's keys, and the UTF-8 length of its keys and values together. */
export interface ValueTotals {
  readonly count: number;
  readonly bytes: number;
}

/** What a session may hold: `value` and `session` in bytes of UTF-8, `keys` by number. */
const valueLimits = Object.freeze({ value: 2 ** 20, session: 2 ** 24, keys: 10_000 });

/** What a key adds to the total of its session. */
export function keyBytes(key: string): number {
  return Buffer.byteLength(toStoredKey(key));
}

/**
 * The totals of a session after a value of `added` bytes takes the place of one of `removed` bytes (undefined: the key
 * is new). Throws a `StoreError` of code `LIMIT` when that is more than {@link valueLimits} and more than before.
 */
export function totalsAfter(before: ValueTotals, key: string, removed: number | undefined, added: number): ValueTotals {
  const isNew = removed === undefined;
  const after = {
    count: before.count + (isNew ? 1 : 0),
    bytes: before.bytes + added + (isNew ? keyBytes(key) : -removed),
  };
  // Version 1 had no limits: what it left may be over them, and must be able to shrink.
  if (!isNew && added <= removed) return after;
  const { value, session, keys } = valueLimits;
  const shown = showText(key);
  if (added > value) {
    throw new StoreError('LIMIT', text('store.value-too-large', { key: shown, found: added, limit: value }));
  }
  if (after.count > keys) throw new StoreError('LIMIT', text('store.too-many-values', { key: shown, limit: keys }));
  if (after.bytes > session) {
    throw new StoreError('LIMIT', text('store.session-full', { key: shown, found: after.bytes, limit: session }));
  }
  return after;
}
