import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type TextStats, textStats } from './text-stats.ts';

describe('textStats', () => {
  it('counts nothing in an empty text', () => {
    expect(textStats('')).toEqual({
      characters: 0,
      hanCharacters: 0,
      words: 0,
      lines: 0,
      paragraphs: 0,
      sentences: 0,
      readingSeconds: 0,
    });
  });

  it.each<[string, string, Partial<TextStats>]>([
    ['both languages', '你好，world! 3.14', { characters: 14, hanCharacters: 2, words: 4 }],
    ['letters against Han characters', '用AI写Node.js代码', { hanCharacters: 4, words: 6 }],
    ['what an editor takes for one word', "don't state-of-the-art and/or a.com 1,000", { words: 5 }],
    ['no words in punctuation and emoji', '—— … - 😀 ！', { words: 0, sentences: 0 }],
    ['quotes that touch a word', '“Hello”他说“走”', { hanCharacters: 3, words: 4 }],
    ['kana and the long vowel mark', 'コーヒーです', { hanCharacters: 0, words: 6 }],
    ['々 and 〇 among Han characters', '人々〇', { hanCharacters: 3, words: 3 }],
    ['Han characters beyond the first plane', '𠮷野家', { characters: 3, hanCharacters: 3 }],
    ['one character for what a reader sees as one', '👨‍👩‍👧e\u0301🇨🇳\r\n', { characters: 4 }],
    ['half a surrogate pair', '\ud800a\udc00', { characters: 3, words: 1 }],
  ])('counts %s', (_, text, expected) => {
    expect(textStats(text)).toMatchObject(expected);
  });

  it.each<[string, Pick<TextStats, 'lines' | 'paragraphs'>]>([
    ['a', { lines: 1, paragraphs: 1 }],
    ['a\n', { lines: 1, paragraphs: 1 }],
    ['a\nb', { lines: 2, paragraphs: 1 }],
    ['a\r\nb\rc\u2028d', { lines: 4, paragraphs: 1 }],
    ['a\n\nb', { lines: 3, paragraphs: 2 }],
    ['\n\na\n \t\n\u3000\nb\n\n', { lines: 7, paragraphs: 2 }],
    ['\n', { lines: 1, paragraphs: 0 }],
    ['   ', { lines: 1, paragraphs: 0 }],
  ])('tells lines and paragraphs apart in %j', (text, expected) => {
    expect(textStats(text)).toMatchObject(expected);
  });

  it.each<[string, number]>([
    ['他说：“走吧！”然后走了。', 2],
    ['我……不知道。', 1],
    ['走了……', 1],
    ['什么？！不会吧？', 2],
    ['It costs 3.14 dollars. See a.com now! Really?', 3],
    ['Dr. Smith met J. Doe. They spoke, e.g. about work.', 2],
    ['Is it?! "Yes." He left', 3],
    ['版本2.0发布了.更新吧', 2],
    ['标题\n\n正文没有句号', 2],
    ['a line\nthat goes on.', 1],
    ['...', 0],
    ['First. 😀', 1],
  ])('finds the sentences of %j', (text, sentences) => {
    expect(textStats(text).sentences).toBe(sentences);
  });

  it('estimates the time to read, in whole seconds', () => {
    expect(textStats('字'.repeat(300)).readingSeconds).toBe(60);
    expect(textStats('word '.repeat(230)).readingSeconds).toBe(60);
    expect(textStats('字').readingSeconds).toBe(1);
  });

  it('adds up over two texts with a blank line between them', () => {
    const text = fc.string({ unit: fc.constantFrom(...'a字,。.!?\n \r"“か1…'), maxLength: 60 });
    fc.assert(
      fc.property(text, text, (one, other) => {
        const [first, second, both] = [textStats(one), textStats(other), textStats(`${one}\n\n${other}`)];
        for (const part of ['hanCharacters', 'words', 'paragraphs', 'sentences'] as const) {
          expect([part, both[part]]).toEqual([part, first[part] + second[part]]);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('keeps every count within the length of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const { readingSeconds, ...counts } = textStats(text);
        expect(counts.hanCharacters).toBeLessThanOrEqual(counts.words);
        expect(counts.paragraphs).toBeLessThanOrEqual(counts.lines);
        expect(readingSeconds).toBeLessThanOrEqual(counts.words);
        for (const value of Object.values(counts)) expect(value).toBeLessThanOrEqual(text.length);
      }),
    );
  });

  it.each([
    ['one word', 'a', { characters: 1_048_576, words: 1 }],
    ['Han characters', '字', { characters: 1_048_576, hanCharacters: 1_048_576 }],
    ['dots', '.', { characters: 1_048_576, sentences: 0 }],
    ['line breaks', '\n', { lines: 1_048_576, paragraphs: 0 }],
    ['combining marks', '\u0301', { characters: 1 }],
    ['quotes', '”', { words: 0 }],
  ])('takes a megabyte of %s', (_, unit, expected) => {
    expect(textStats(unit.repeat(1_048_576))).toMatchObject(expected);
  });
});
