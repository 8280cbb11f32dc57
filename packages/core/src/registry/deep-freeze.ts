import type { Json } from '../contracts/json.ts';

/** Freezes a JSON value with all it holds and returns it. */
export function deepFreeze<Value extends Json>(value: Value): Value {
  if (value !== null && typeof value === 'object') {
    for (const member of Object.values(value)) deepFreeze(member as Json);
    Object.freeze(value);
  }
  return value;
}
