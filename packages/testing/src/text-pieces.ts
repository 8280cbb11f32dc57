/**
 * Cuts a text into pieces of at most `size` UTF-16 code units whose concatenation is the text. A surrogate pair stays
 * whole, so with `size` 1 a piece may have two units. Lone surrogates are kept: JSON carries them as escapes.
 */
export function textPieces(text: string, size: number): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (start < text.length) {
    let end = Math.min(start + size, text.length);
    if (end < text.length && isPair(text, end - 1)) end = end - 1 > start ? end - 1 : end + 1;
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

function isPair(text: string, index: number): boolean {
  const point = text.codePointAt(index);
  return point !== undefined && point > 0xffff;
}
