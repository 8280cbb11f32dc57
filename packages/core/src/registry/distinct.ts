/** Lists that are read as sets: equal sets must be equal. */
export function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].sort();
}
