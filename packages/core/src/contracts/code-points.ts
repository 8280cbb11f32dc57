/**
 * Characters of a text as JSON Schema counts them: Unicode code points, not UTF-16 units.
 *
 * @example
 * codePoints('😀') // 1
 */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
