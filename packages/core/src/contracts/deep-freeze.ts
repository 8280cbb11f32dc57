/** Freezes plain data all the way down and returns it. For trees only: JSON, messages. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  Object.freeze(value);
  if (Array.isArray(value)) {
    for (const item of value) deepFreeze(item);
  } else {
    for (const name in value) deepFreeze(value[name]);
  }
  return value;
}
