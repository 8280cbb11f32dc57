import { countSentences } from './count-sentences.ts';
import { countWords } from './count-words.ts';
import { splitLines } from './split-lines.ts';
import { splitParagraphs } from './split-paragraphs.ts';

export interface TextStats {
  /** What a reader sees as one character: an emoji of several code points is one, and so is a line break. */
  readonly characters: number;
  readonly hanCharacters: number;
  /** Every Han character and every other word. */
  readonly words: number;
  /** A line break at the very end does not begin another line. */
  readonly lines: number;
  /** Blocks of lines between blank lines. */
  readonly paragraphs: number;
  readonly sentences: number;
  /** At 300 Han characters or 230 other words a minute, rounded up. */
  readonly readingSeconds: number;
}

const HAN_PER_MINUTE = 300;
const WORDS_PER_MINUTE = 230;
const HAN = /\p{Script=Han}/gu;

/**
 * Counts a text in time linear in its length. Any string will do, also one with half a surrogate pair.
 *
 * @example
 * textStats('你好，world!').words // 3
 */
export function textStats(text: string): TextStats {
  const hanCharacters = text.match(HAN)?.length ?? 0;
  const otherWords = countWords(text);
  const lines = splitLines(text);
  const paragraphs = splitParagraphs(lines);
  const minutes = hanCharacters / HAN_PER_MINUTE + otherWords / WORDS_PER_MINUTE;
  return {
    characters: countGraphemes(text),
    hanCharacters,
    words: hanCharacters + otherWords,
    lines: lines.length,
    paragraphs: paragraphs.length,
    sentences: paragraphs.reduce((sum, paragraph) => sum + countSentences(paragraph), 0),
    readingSeconds: Math.ceil(minutes * 60),
  };
}

function countGraphemes(text: string): number {
  let graphemes = 0;
  for (const _ of new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(text)) graphemes += 1;
  return graphemes;
}
