export interface InputLine {
  readonly text: string;
  /** The line was longer than the limit and is not given. */
  readonly tooLong: boolean;
}

/**
 * Splits a byte stream into lines (LF or CRLF). Bytes that are not UTF-8 become U+FFFD. A line of more than
 * `maxChars` characters is left out and said to be too long; memory stays bounded.
 */
export async function* readLines(input: AsyncIterable<Uint8Array>, maxChars: number): AsyncGenerator<InputLine> {
  const decoder = new TextDecoder('utf-8');
  let pending = '';
  let tooLong = false;
  const take = (text: string): InputLine => {
    const line = tooLong ? { text: '', tooLong } : { text: text.endsWith('\r') ? text.slice(0, -1) : text, tooLong };
    tooLong = false;
    return line;
  };
  for await (const chunk of input) {
    const pieces = decoder.decode(chunk, { stream: true }).split('\n');
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) {
        yield take(pending);
        pending = '';
      }
      if (pending.length + piece.length > maxChars) {
        tooLong = true;
        pending = '';
      } else if (!tooLong) pending += piece;
    }
  }
  pending += decoder.decode();
  if (pending !== '' || tooLong) yield take(pending);
}
