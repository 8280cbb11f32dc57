import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { showInvisible } from './show-invisible.ts';

describe('showInvisible', () => {
  it.each([
    ['plain text, 百工, é, 👍', 'plain text, 百工, é, 👍'],
    ['a\u202eb', 'a\\u{202e}b'],
    ['a\u200bb\u200d', 'a\\u{200b}b\\u{200d}'],
    ['a\nb\tc\u0000', 'a\\u{a}b\\u{9}c\\u{0}'],
    ['a\u00a0b\u3000c', 'a\\u{a0}b\\u{3000}c'],
    ['\u{e0041}\ufe0f\u{e0100}', '\\u{e0041}\\u{fe0f}\\u{e0100}'],
    ['\u3164\u115f\u2800\u034f\u00ad', '\\u{3164}\\u{115f}\\u{2800}\\u{34f}\\u{ad}'],
    ['x\ud800y', 'x\\u{d800}y'],
    ['\u{13441}\u{13442}\u{16fe4}\u{1d159}', '\\u{13441}\\u{13442}\\u{16fe4}\\u{1d159}'],
    ['\ue000\ufffe', '\\u{e000}\\u{fffe}'],
    ['\u2028\u2029\ufeff', '\\u{2028}\\u{2029}\\u{feff}'],
  ])('%j is shown as %j', (text, shown) => {
    expect(showInvisible(text)).toBe(shown);
  });

  it('leaves line breaks and tabs where lines are wanted', () => {
    expect(showInvisible('a\r\n\tb\u2028', { lines: true })).toBe('a\\u{d}\n\tb\\u{2028}');
  });

  it('writes out marks that pile up', () => {
    const pile = '\u0301'.repeat(10);
    expect(showInvisible(`e${pile}x`)).toBe(`e${'\u0301'.repeat(4)}${'\\u{301}'.repeat(6)}x`);
  });

  it('leaves nothing that cannot be seen, and takes linear time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = showInvisible(text);
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u);
        expect(showInvisible(shown)).toBe(shown);
      }),
    );
    expect(showInvisible('\u202e'.repeat(200_000))).toHaveLength(8 * 200_000);
  });
});
