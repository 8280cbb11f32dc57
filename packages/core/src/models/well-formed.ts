import type { Json } from '../contracts/json.ts';

/**
 * The same value without lone surrogates (U+FFFD in their place): services refuse a request that holds one, and would
 * refuse every later request of the session too. Values without any are returned as they are.
 */
export function wellFormed<T extends Json>(value: T): T;
export function wellFormed(value: Json): Json {
  if (typeof value === 'string') return value.isWellFormed() ? value : value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    const copy = items.map((item) => wellFormed(item));
    return copy.every((item, index) => item === items[index]) ? items : copy;
  }
  const members = Object.entries(value);
  const copy = members.map(([name, member]) => [name.toWellFormed(), wellFormed(member)] as const);
  const same = copy.every(([name, member], index) => name === members[index]?.[0] && member === members[index]?.[1]);
  return same ? value : Object.fromEntries(copy);
}
