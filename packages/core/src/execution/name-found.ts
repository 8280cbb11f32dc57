/** What stands where something else is due: its type, in a word. */
export function nameFound(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
