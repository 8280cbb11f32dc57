/** Splits at every kind of line break. A break at the very end begins no line; the empty text has none. */
export function splitLines(text: string): readonly string[] {
  const lines = text.split(/\r\n|[\n\r\u0085\u2028\u2029]/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
