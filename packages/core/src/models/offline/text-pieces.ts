const SMALLEST_PIECE = 24;
const MOST_PIECES = 200;

/** A text in pieces, as a model would stream it: at most about 200, and no surrogate pair is torn apart. */
export function* textPieces(text: string): Generator<string, undefined> {
  const size = Math.max(SMALLEST_PIECE, Math.ceil(text.length / MOST_PIECES));
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + size, text.length);
    if (end < text.length && (text.codePointAt(end - 1) ?? 0) > 0xffff) end += 1;
    yield text.slice(start, end);
    start = end;
  }
}
