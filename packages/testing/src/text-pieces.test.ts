import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textPieces } from './text-pieces.ts';

describe('textPieces', () => {
  it.each([
    ['', 3, []],
    ['abc', 3, ['abc']],
    ['abcd', 3, ['abc', 'd']],
    ['你好', 1, ['你', '好']],
    ['a😀b', 1, ['a', '😀', 'b']],
    ['a😀b', 2, ['a', '😀', 'b']],
    ['a😀b', 3, ['a😀', 'b']],
    ['\ud83d\ud83d', 1, ['\ud83d', '\ud83d']],
  ])('cuts %j by %d', (text, size, pieces) => {
    expect(textPieces(text, size)).toEqual(pieces);
  });

  it('keeps any text whole and never cuts a pair', () => {
    const anyText = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units));
    fc.assert(
      fc.property(fc.oneof(anyText, fc.string({ unit: 'grapheme' })), fc.integer({ min: 1, max: 9 }), (text, size) => {
        const pieces = textPieces(text, size);
        expect(pieces.join('')).toBe(text);
        for (const [index, piece] of pieces.entries()) {
          expect(piece.length).toBeLessThanOrEqual(Math.max(2, size));
          expect(piece).not.toBe('');
          const seam = piece.slice(-1) + (pieces[index + 1] ?? '').slice(0, 1);
          expect(seam).not.toMatch(/^[\ud800-\udbff][\udc00-\udfff]$/);
        }
      }),
    );
  });
});
