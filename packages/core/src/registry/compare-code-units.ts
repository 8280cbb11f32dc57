/**
 * Orders texts by their UTF-16 units, the same on every machine and in every language.
 *
 * @example
 * ['b', 'a', 'B'].sort(compareCodeUnits) // ['B', 'a', 'b']
 */
export function compareCodeUnits(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
