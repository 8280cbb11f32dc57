import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cliTexts } from '../texts.ts';
import { escapeControls } from './escape-controls.ts';
import { fold } from './fold.ts';
import { readLines } from './read-lines.ts';

describe('escapeControls', () => {
  it.each([
    ['\u001b[2J', '\\u{1b}[2J'],
    ['a\u202eb', 'a\\u{202e}b'],
    ['a\rb\u0000', 'a\\u{d}b\\u{0}'],
    ['你好\n\tworld 😀', '你好\n\tworld 😀'],
  ])('%j becomes %j', (text, shown) => {
    expect(escapeControls(text)).toBe(shown);
  });
});

describe('fold', () => {
  it('gives one short line without half characters, whatever comes in', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.integer({ min: 2, max: 80 }), (text, width) => {
        const line = fold(text.toWellFormed(), width);
        expect(line.length).toBeLessThanOrEqual(width);
        expect(line).not.toContain('\n');
        expect(line.isWellFormed()).toBe(true);
      }),
    );
  });
});

describe('readLines', () => {
  it('finds the same lines however the bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[\r\n]/g, ''))),
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
        async (lines, sizes) => {
          const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
          async function* chunks() {
            for (let start = 0, turn = 0; start < bytes.length; turn++) {
              const end = start + (sizes[turn % sizes.length] ?? 1);
              yield bytes.subarray(start, end);
              start = end;
            }
          }
          const read: string[] = [];
          for await (const line of readLines(chunks(), 1000)) read.push(line.text);
          expect(read).toEqual(lines);
        },
      ),
    );
  });

  it('takes CRLF, a last line without a break, and leaves out what is too long', async () => {
    async function* chunks() {
      yield Buffer.from('a\r\nlonger than ten\nb');
    }
    const read = [];
    for await (const line of readLines(chunks(), 10)) read.push(line);
    expect(read).toEqual([
      { text: 'a', tooLong: false },
      { text: '', tooLong: true },
      { text: 'b', tooLong: false },
    ]);
  });
});

describe('the catalogue of the command line', () => {
  it.each(cliTexts())('%s has the same gaps in both languages', (_key, { en, zh }) => {
    const gaps = (template: string) => [...new Set(template.match(/\{[a-zA-Z]+\}/g) ?? [])].sort();
    expect(gaps(zh)).toEqual(gaps(en));
  });
});
