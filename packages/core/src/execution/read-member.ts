/** A member of a value that foreign code made: reading may throw, and that is no reason to fail. */
export function readMember(value: unknown, name: PropertyKey): unknown {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return undefined;
  try {
    return (value as Record<PropertyKey, unknown>)[name];
  } catch {
    return undefined;
  }
}
