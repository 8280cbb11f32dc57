/** A number of rows as a caller gives it, as a whole number that a database takes. */
export function rowLimit(limit: number): number {
  if (Number.isNaN(limit) || limit <= 0) return 0;
  return Math.min(Math.floor(limit), Number.MAX_SAFE_INTEGER);
}
