import { InputError } from 'baigong';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calculate } from './calculate.ts';
import { texts } from './texts.ts';

type Fault = keyof (typeof texts)['en'];

function refusalOf(expression: string, locale: 'en' | 'zh' = 'en'): InputError {
  try {
    calculate(expression, locale);
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
  throw new Error(`${expression} was not refused`);
}

const resultOf = (expression: string): string => calculate(expression, 'en').result;

describe('calculate', () => {
  it.each([
    ['1 + 2 * 3', '7'],
    ['(1 + 2) * 3', '9'],
    ['[1 + 2] * {3}', '9'],
    ['10 - 4 - 3', '3'],
    ['24 / 4 / 2', '3'],
    ['2 ^ 3 ^ 2', '512'],
    ['2 ** 3', '8'],
    ['-2 ^ 2', '-4'],
    ['2 ^ -1', '0.5'],
    ['--3', '3'],
    ['3 - -2', '5'],
    ['7 mod 3', '1'],
    ['7 % 3', '1'],
    ['-7 mod 3', '2'],
    ['5! / 3!', '20'],
    ['2(3 + 4)', '14'],
    ['2(3)^2', '18'],
    ['(2)3', '6'],
    ['1,234,567 + 1', '1234568'],
    ['1e3 + 1.5e-1', '1000.15'],
    ['.5 + 1.', '1.5'],
    ['1 + 1 =', '2'],
  ])('%s = %s', (expression, result) => {
    expect(resultOf(expression)).toBe(result);
  });

  it.each([
    ['0.1 + 0.2', '0.3'],
    ['1.10 * 3', '3.3'],
    ['1 / 8', '0.125'],
    ['1 / 3 * 3', '1'],
    ['100 * (1 + 5%) ^ 10', '162.889462677744140625'],
    ['2 ^ 100', '1267650600228229401496703205376'],
    ['9007199254740993 + 0', '9007199254740993'],
    ['25!', '15511210043330985984000000'],
    ['8 ^ (2/3)', '4'],
    ['sqrt(1/4)', '0.5'],
    ['cbrt(-27)', '-3'],
    ['root(2 ^ 640, 64)', '1024'],
    ['1e-9', '0.000000001'],
    ['0 ^ 0', '1'],
    ['(-1) ^ 1e30', '1'],
  ])('is exact: %s = %s', (expression, result) => {
    expect(calculate(expression, 'en')).toMatchObject({ result, exact: true });
  });

  it.each([
    ['sqrt(2)', '1.4142135623730950488016887242097'],
    ['pi', '3.1415926535897932384626433832795'],
    ['exp(1)', '2.7182818284590452353602874713527'],
    ['sqrt(2) ^ 2', '2'],
    ['log(8, 2)', '3'],
    ['lg(1000)', '3'],
    ['ln(e ^ 5)', '5'],
    ['sin(30°)', '0.5'],
    ['sin(30 deg)', '0.5'],
    ['tan(45°)', '1'],
    ['4 * atan(1) - pi', '0'],
    ['sqrt(3) * sqrt(3) - 3', '0'],
    ['(1 + 0.049 / 12) ^ 360', '4.3362368864550429227333423823137'],
  ])('rounds to 32 digits what has no end: %s = %s', (expression, result) => {
    expect(calculate(expression, 'en')).toMatchObject({ result, exact: false });
  });

  it.each([
    ['sin(pi)', '0'],
    ['cos(90°)', '0'],
    ['floor(sqrt(2) ^ 2)', '2'],
    ['round(2.5)', '3'],
    ['round(-2.5)', '-3'],
    ['round(3.14159, 2)', '3.14'],
    ['round(1250, -2)', '1300'],
    ['floor(-1.5)', '-2'],
    ['ceil(-1.5)', '-1'],
    ['trunc(-1.5)', '-1'],
    ['abs(-1/4)', '0.25'],
    ['max(1, 5, 3)', '5'],
    ['min(2, sqrt(2), 1.5)', '1.4142135623730950488016887242097'],
    ['sum(0.1, 0.2)', '0.3'],
    ['mean(1, 2, 3, 4)', '2.5'],
    ['gcd(12, -18, 8)', '2'],
    ['lcm(4, -6)', '12'],
    ['permutations(5, 2)', '20'],
    ['combinations(10, 3)', '120'],
    ['combinations(10000, 9998)', '49995000'],
    ['combinations(3, 10)', '0'],
    ['permutations(3, 1e6)', '0'],
    ['max(1,234)', '234'],
    ['max((1,234), 5)', '1234'],
  ])('calls functions: %s = %s', (expression, result) => {
    expect(resultOf(expression)).toBe(result);
  });

  it.each([
    ['200 + 10%', '220'],
    ['200 - 10% - 10%', '162'],
    ['200 * 10%', '20'],
    ['5% + 3%', '0.08'],
    ['50% - 3', '-2.5'],
    ['50%', '0.5'],
  ])('reads percentages as a pocket calculator does: %s = %s', (expression, result) => {
    expect(resultOf(expression)).toBe(result);
  });

  it.each([
    ['（１２＋３）÷５＝', '3'],
    ['3 × 4 − 2', '10'],
    ['3x4', '12'],
    ['10³', '1000'],
    ['10⁻²', '0.01'],
    ['√16 + 9', '13'],
    ['3％', '0.03'],
    ['2的10次方', '1024'],
    ['3*2的3次方', '24'],
    ['9的平方根', '3'],
    ['5的平方加2的立方', '33'],
    ['100的20%', '20'],
    ['60的三分之一', '20'],
    ['百分之二十乘以50', '10'],
    ['十二乘以三减去六除以二', '33'],
    ['三万五千加两百零五', '35205'],
    ['1.5亿 / 3万', '5000'],
    ['17取余5', '2'],
    ['1+1等于多少？', '2'],
  ])('understands Chinese and full-width writing: %s = %s', (expression, result) => {
    expect(resultOf(expression)).toBe(result);
  });

  it.each<[string, number | undefined]>([
    ['0.1 + 0.2', 0.3],
    ['2 ^ 53 - 1', 9_007_199_254_740_991],
    ['2 ^ 53', undefined],
    ['1e-9', 1e-9],
    ['123456789.123456789', undefined],
    ['1 / 3', undefined],
    ['sqrt(2) ^ 2', 2],
  ])('gives a number beside the text only where nothing is lost: %s', (expression, number) => {
    expect(calculate(expression, 'en').number).toBe(number);
  });

  it('tells the fraction that a decimal without end stands for', () => {
    expect(calculate('1 / 3 + 1 / 6 - 1 / 4 + 1 / 7', 'en')).toEqual({
      expression: '1 / 3 + 1 / 6 - 1 / 4 + 1 / 7',
      result: '0.39285714285714285714285714285714',
      exact: false,
      fraction: '11/28',
    });
  });

  it.each<[string, Fault]>([
    ['', 'empty'],
    ['=', 'empty'],
    ['3 +', 'incomplete'],
    ['((1)', 'incomplete'],
    ['1)', 'unexpected'],
    ['1 2', 'unexpected'],
    ['1..2', 'unexpected'],
    ['3,5', 'unexpected'],
    ['½', 'unexpected'],
    ['0x1F', 'unexpected'],
    ['10除2', 'unexpected'],
    ['5 km', 'unknownName'],
    ['x', 'unknownName'],
    ['sqrt()', 'wrongArguments'],
    ['sqrt(1, 2)', 'wrongArguments'],
    ['log(8)', 'wrongArguments'],
    ['1 / 0', 'divisionByZero'],
    ['0 / 0', 'divisionByZero'],
    ['0 ^ -1', 'divisionByZero'],
    ['5 mod 0', 'divisionByZero'],
    ['1 / (sqrt(2) ^ 2 - 2)', 'divisionByZero'],
    ['tan(90°)', 'divisionByZero'],
    ['log(5, 1)', 'divisionByZero'],
    ['sqrt(-1)', 'notReal'],
    ['(-8) ^ (1/3)', 'notReal'],
    ['ln(0)', 'notReal'],
    ['asin(2)', 'notReal'],
    ['2.5!', 'wholeNumbers'],
    ['(-3)!', 'wholeNumbers'],
    ['combinations(5, 1.5)', 'wholeNumbers'],
    ['6 / 2(1 + 2)', 'ambiguous'],
    ['1 / 2pi', 'ambiguous'],
    ['3!!', 'ambiguous'],
    ['三万五', 'ambiguous'],
  ])('refuses %j: %s', (expression, fault) => {
    const { hint } = refusalOf(expression);
    expect(hint).toBe(texts.en[fault].hint);
    expect(refusalOf(expression, 'zh').hint).toBe(texts.zh[fault].hint);
  });

  it.each([
    'import({ a: 1 })',
    'import(1)',
    'createUnit("x")',
    'createUnit(1)',
    'evaluate("1+1")',
    'evaluate(1)',
    'parse(1)',
    'compile(1)',
    'simplify(1)',
    'derivative(1, 1)',
    'resolve(1)',
    'reviver(1)',
    'typed(1)',
    'config(1)',
    'help(sqrt)',
    'x = 1',
    'pi = 3',
    'f(x) = x',
    'sqrt(x) = x',
    '1; 2',
    '1\n2',
    '[1, 2, 3]',
    '{ a: 1 }',
    '"text"',
    '1:10',
    'ones(1e6, 1e6)',
    'zeros(9, 9)',
    'range(1, 1e9)',
    'map(1, 2)',
    'cos.constructor("return process")()',
    'constructor(1)',
    'toString()',
    '__proto__',
    'valueOf(1)',
    'hasOwnProperty(1)',
    'true ? 1 : 2',
    '1 < 2',
    '1 | 2',
    'i * i',
    'Infinity',
    'NaN',
  ])('does nothing but arithmetic: refuses %j', (expression) => {
    expect(refusalOf(expression)).toBeInstanceOf(InputError);
  });

  it.each<[string, Fault]>([
    ['9^9^9^9', 'outOfRange'],
    ['1e9!', 'outOfRange'],
    ['3249!', 'outOfRange'],
    ['10^10000', 'outOfRange'],
    ['2^33220', 'outOfRange'],
    ['1e99999999999', 'outOfRange'],
    ['exp(1e9)', 'outOfRange'],
    ['1.5^1e30', 'outOfRange'],
    ['2^(2^33000)', 'outOfRange'],
    ['0.5^(3^9000)', 'outOfRange'],
    ['1.0000001^1e15', 'outOfRange'],
    ['sin(1e40)', 'outOfRange'],
    ['combinations(1e9, 5e8)', 'outOfRange'],
    ['permutations(1e300, 300)', 'outOfRange'],
    ['gcd(7^9000, 3^9000)', 'outOfRange'],
    ['round(1, 1e9)', 'outOfRange'],
    ['root(2, 1e9)', 'outOfRange'],
  ])('refuses what would run away: %s', (expression, fault) => {
    expect(refusalOf(expression).hint).toBe(texts.en[fault].hint);
  });

  it.each<[string, string, Fault]>([
    ['brackets', `${'('.repeat(400)}1${')'.repeat(400)}`, 'tooDeep'],
    ['signs', `${'-'.repeat(900)}1`, 'tooDeep'],
    ['roots', `${'√'.repeat(900)}1`, 'tooDeep'],
    ['powers', `2${'^2'.repeat(400)}`, 'tooDeep'],
    ['functions', `${'abs('.repeat(150)}1${')'.repeat(150)}`, 'tooDeep'],
    ['characters', '1'.repeat(1_001), 'tooLong'],
  ])('refuses too many %s', (_, expression, fault) => {
    expect(refusalOf(expression).hint).toBe(texts.en[fault].hint);
  });

  it('goes up to the limits', () => {
    expect(resultOf('2^33219')).toHaveLength(10_000);
    expect(resultOf('3248!')).toHaveLength(9_998);
    expect(resultOf('9'.repeat(1_000))).toHaveLength(1_000);
    // Each percentage is one of all that stands before it; 300 of them are still 300 steps.
    expect(Number(resultOf(`1${'+1%'.repeat(300)}`))).toBeCloseTo(1.01 ** 300, 10);
  });

  it('names the piece that is to blame', () => {
    expect(refusalOf('1 + 0x10').message).toContain('"0x10"');
    expect(refusalOf('2 * foo(1)').message).toContain('"foo"');
    expect(refusalOf('log(8)', 'zh').message).toContain('log');
  });

  it('names a long piece that it cannot read only in part', () => {
    expect(refusalOf('一亿'.repeat(400)).message.length).toBeLessThan(150);
  });

  it('agrees with big integers on any tree of operations', () => {
    type Tree = { readonly text: string; readonly value: bigint };
    const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5, withCrossShrink: true },
        fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }).map((value) => ({ text: `(${value})`, value })),
        fc.tuple(fc.constantFrom('+', '-', '*'), tie('tree'), tie('tree')).map(([operator, left, right]) => ({
          text: `(${left.text}${operator}${right.text})`,
          value:
            operator === '+'
              ? left.value + right.value
              : operator === '-'
                ? left.value - right.value
                : left.value * right.value,
        })),
      ),
    }));
    fc.assert(
      fc.property(
        tree.filter(({ text }) => text.length <= 1_000),
        ({ text, value }) => {
          expect(resultOf(text)).toBe(String(value));
        },
      ),
    );
  });

  it('adds amounts of money to the cent', () => {
    const cents = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });
    fc.assert(
      fc.property(cents, cents, (one, other) => {
        const amount = (value: number) => `(${value < 0 ? '-' : ''}${Math.abs(value) / 100})`;
        expect(calculate(`${amount(one)}+${amount(other)}`, 'en').number).toBe((one + other) / 100);
      }),
    );
  });

  it('works any text out or refuses it, and does nothing else', () => {
    const pieces = fc.constantFrom(
      ...[
        '1',
        '0.5',
        '1e9',
        '9',
        '+',
        '-',
        '*',
        '/',
        '^',
        '%',
        '!',
        '(',
        ')',
        ',',
        ' ',
        'mod',
        '°',
        '√',
        '²',
        'π',
        'e',
      ],
      ...[
        'sqrt(',
        'sin(',
        'ln(',
        'round(',
        'gcd(',
        'root(',
        'combinations(',
        '的',
        '平方',
        '次方',
        '百分之',
        '分之',
        '三万',
      ],
      ...['=', '[', '}', '"', '.', ';', 'x', 'constructor', '__proto__', '\ud800', '\u0000'],
    );
    const expression = fc.oneof(
      fc.string({ maxLength: 100 }),
      fc.array(pieces, { maxLength: 25 }).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(expression, (text) => {
        try {
          expect(resultOf(text)).toMatch(/^-?\d+(?:\.\d+)?(?:e[+-]\d+)?$/);
        } catch (error) {
          expect(error).toBeInstanceOf(InputError);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
