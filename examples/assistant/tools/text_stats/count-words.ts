const RUN =
  /[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3001-\u3003\u3008-\u3011\u3014-\u301f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65“”…—]+/gu;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/**
 * Words other than Han characters, the way Word and WPS count them: every kana is one, and so is everything between
 * spaces, Han characters and Chinese punctuation that holds a letter or digit (`don't`, `3.14`, `and/or`).
 */
export function countWords(text: string): number {
  let words = text.match(KANA)?.length ?? 0;
  for (const [run] of text.matchAll(RUN)) if (LETTER_OR_DIGIT.test(run)) words += 1;
  return words;
}
