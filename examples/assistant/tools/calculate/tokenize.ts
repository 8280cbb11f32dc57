import { CalculationFault } from './calculation-fault.ts';
import { chineseNumber } from './chinese-number.ts';
import type { Token, TokenSymbol } from './token.ts';

const SYMBOLS: readonly (readonly [RegExp, TokenSymbol])[] = [
  [/\*\*|\^/y, '^'],
  [/[*×✕✖·∙⋅]|乘[以上]?/y, '*'],
  [/[/÷∕⁄]|除以/y, '/'],
  [/[-−–—﹣]|减去?/y, '-'],
  [/\+|加上?/y, '+'],
  [/取余|取模|模/y, 'mod'],
  [/%/y, '%'],
  [/!/y, '!'],
  [/[([{【〔]/y, '('],
  [/[)\]}】〕]/y, ')'],
  [/,/y, ','],
  [/°/y, '°'],
  [/√/y, '√'],
  [/的?平方根/y, 'square-root-of-it'],
  [/的?立方根/y, 'cube-root-of-it'],
  [/的?平方/y, 'squared'],
  [/的?立方/y, 'cubed'],
  [/次方|次幂/y, 'th-power'],
  [/百分之/y, 'percent-of'],
  [/分之/y, 'parts'],
  [/的/y, 'of'],
];

const GROUPED_NUMBER = /\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?/y;
const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/iy;
const OTHER_BASE = /0[xbo][\da-f]+/iy;
const CHINESE_SIZE = /[百千万亿]+/y;
const CHINESE_NUMBER = /[零〇一二两三四五六七八九十百千万亿点]+/y;
const SUPERSCRIPT = /⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+/y;
const NAME = /π|[a-z]+(?:(?:10|2)(?=\s*\())?/iy;
const TIMES_LETTER = /x(?=\s*[\d.(])/iy;
const SPACE = /\s+/y;

const SIZES = new Map([
  ['百', 2],
  ['千', 3],
  ['万', 4],
  ['亿', 8],
]);
const SUPERSCRIPT_DIGITS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/**
 * Cuts an expression into tokens; full-width and Chinese spellings become the plain ones.
 * Commas group thousands, except between the arguments of a function.
 *
 * @throws CalculationFault for a character or numeral that has no meaning here.
 */
export function tokenize(expression: string): readonly Token[] {
  const text = toAsciiWidth(expression);
  const tokens: Token[] = [];
  /** For each open bracket: does it hold the arguments of a function? */
  const brackets: boolean[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };

  while (at < text.length) {
    if (take(SPACE) !== undefined) continue;
    const otherBase = take(OTHER_BASE);
    if (otherBase !== undefined) throw new CalculationFault('unexpected', otherBase);
    const previous = tokens.at(-1);
    const inArguments = brackets.at(-1) ?? false;

    const grouped = inArguments ? undefined : take(GROUPED_NUMBER);
    const number = grouped ?? take(NUMBER);
    if (number !== undefined) {
      const size = take(CHINESE_SIZE) ?? '';
      tokens.push(numberToken(number + size, number.replaceAll(',', ''), size));
      continue;
    }
    const superscript = take(SUPERSCRIPT);
    if (superscript !== undefined) {
      tokens.push(...superscriptTokens(superscript));
      continue;
    }
    const times = previous !== undefined && endsOperand(previous) ? take(TIMES_LETTER) : undefined;
    if (times !== undefined) {
      tokens.push({ kind: 'symbol', text: times, symbol: '*' });
      continue;
    }
    const symbol = takeSymbol(take);
    if (symbol !== undefined) {
      if (symbol.symbol === '(') brackets.push(previous?.kind === 'name');
      if (symbol.symbol === ')') brackets.pop();
      tokens.push(symbol);
      continue;
    }
    const numeral = take(CHINESE_NUMBER);
    if (numeral !== undefined) {
      const digits = chineseNumber(numeral);
      if (digits === undefined) throw new CalculationFault('ambiguous', numeral);
      tokens.push({ kind: 'number', text: numeral, digits, exponent: 0 });
      continue;
    }
    const name = take(NAME);
    if (name === undefined) throw new CalculationFault('unexpected', String.fromCodePoint(text.codePointAt(at) ?? 0));
    tokens.push(nameToken(name));
  }
  return tokens;
}

function toAsciiWidth(text: string): string {
  return text
    .replace(/[！-～]/g, (character) => String.fromCharCode(character.charCodeAt(0) - 0xfee0))
    .replaceAll('\u3000', ' ');
}

function takeSymbol(take: (pattern: RegExp) => string | undefined): (Token & { kind: 'symbol' }) | undefined {
  for (const [pattern, symbol] of SYMBOLS) {
    const text = take(pattern);
    if (text !== undefined) return { kind: 'symbol', text, symbol };
  }
  return undefined;
}

function numberToken(text: string, number: string, size: string): Token {
  const [digits = '', exponent = '0'] = number.toLowerCase().split('e');
  const shift = [...size].reduce((sum, unit) => sum + (SIZES.get(unit) ?? 0), 0);
  return { kind: 'number', text, digits, exponent: Number(exponent) + shift };
}

function superscriptTokens(text: string): readonly Token[] {
  const digits = [...text].map((character) => SUPERSCRIPT_DIGITS.indexOf(character)).filter((digit) => digit >= 0);
  const minus: readonly Token[] = text.startsWith('⁻') ? [{ kind: 'symbol', text: '⁻', symbol: '-' }] : [];
  return [
    { kind: 'symbol', text, symbol: '^' },
    ...minus,
    { kind: 'number', text, digits: digits.join(''), exponent: 0 },
  ];
}

function nameToken(text: string): Token {
  const name = text.toLowerCase();
  if (name === 'mod') return { kind: 'symbol', text, symbol: 'mod' };
  if (name === 'deg') return { kind: 'symbol', text, symbol: '°' };
  return { kind: 'name', text, name: name === 'π' ? 'pi' : name };
}

function endsOperand(token: Token): boolean {
  return token.kind !== 'symbol' || [')', '!', '%', '°'].includes(token.symbol);
}
