import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chineseNumber } from './chinese-number.ts';

const NUMERALS = '零一二三四五六七八九';

/** A number below 10,000 as it is written out in full; without leading 零. */
function fourDigits(value: number): string {
  const written = [...String(value).padStart(4, '0')].map((digit, place) =>
    digit === '0' ? '零' : `${NUMERALS[Number(digit)]}${['千', '百', '十', ''][place]}`,
  );
  return written
    .join('')
    .replace(/零+/g, '零')
    .replace(/^零|零$/g, '');
}

function written(value: number): string {
  const groups = [Math.floor(value / 1e8), Math.floor(value / 1e4) % 1e4, value % 1e4];
  let text = '';
  for (const [place, group] of groups.entries()) {
    if (group === 0) continue;
    if (text !== '' && group < 1_000) text += '零';
    text += `${fourDigits(group)}${['亿', '万', ''][place]}`;
  }
  return text === '' ? '零' : text;
}

describe('chineseNumber', () => {
  it.each([
    ['零', '0'],
    ['〇', '0'],
    ['十', '10'],
    ['十五', '15'],
    ['二十', '20'],
    ['一百零五', '105'],
    ['两百', '200'],
    ['三万五千', '35000'],
    ['三万零五', '30005'],
    ['一亿', '100000000'],
    ['一万亿', '1000000000000'],
    ['二〇二四', '2024'],
    ['三点一四', '3.14'],
    ['十点零五', '10.05'],
  ])('reads %s as %s', (text, digits) => {
    expect(chineseNumber(text)).toBe(digits);
  });

  it.each([
    '',
    '点',
    '点五',
    '三点',
    '三点一点四',
    '三万五',
    '三百五',
    '一千二',
    '万',
    '百',
    '十百',
    '一百一千',
    '千万万',
  ])('does not guess what "%s" means', (text) => {
    expect(chineseNumber(text)).toBeUndefined();
  });

  it('reads every number that is written out in full', () => {
    fc.assert(
      fc.property(fc.nat(999_999_999_999), (value) => {
        expect(chineseNumber(written(value))).toBe(String(value));
      }),
    );
  });
});
