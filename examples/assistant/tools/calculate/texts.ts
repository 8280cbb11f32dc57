import type { FaultKind } from './calculation-fault.ts';

interface FaultText {
  readonly message: (subject: string) => string;
  readonly hint: string;
}

const FUNCTIONS =
  'sqrt cbrt root pow exp ln lg log log2 log10 sin cos tan asin acos atan abs floor ceil trunc round mod min max sum mean gcd lcm factorial permutations combinations';

/** What the tool tells people and models, in each language. */
export const texts: Readonly<Record<'en' | 'zh', Readonly<Record<FaultKind, FaultText>>>> = {
  en: {
    ambiguous: {
      message: (subject) => `"${subject}" is not clear: it can be read in more than one way.`,
      hint: 'Write every multiplication sign and add brackets, and write numbers in digits.',
    },
    divisionByZero: {
      message: () => 'The expression divides by zero, so it has no result.',
      hint: 'Check the divisor; tell the user that division by zero is undefined.',
    },
    empty: { message: () => 'There is no expression.', hint: 'Give an arithmetic expression such as 12 * (3 + 4).' },
    incomplete: {
      message: () => 'The expression ends too early.',
      hint: 'Complete it: a number or a closing bracket is missing at the end.',
    },
    notReal: {
      message: () => 'The expression has no result among the real numbers.',
      hint: 'It takes an even root or a logarithm of a negative number, or an arc function outside -1 to 1.',
    },
    outOfRange: {
      message: () => 'A number in the calculation is too large or too small: more than 10,000 digits.',
      hint: 'Use smaller numbers; do not try to work this one out.',
    },
    tooDeep: {
      message: () => 'The expression is nested more than 100 levels deep.',
      hint: 'Work out parts of it in separate calls.',
    },
    tooLong: {
      message: () => 'The expression is longer than 1,000 characters.',
      hint: 'Work out parts of it in separate calls.',
    },
    unexpected: {
      message: (subject) => `"${subject}" does not belong where it stands in the expression.`,
      hint: 'Only numbers, + - * / ^ % !, brackets and functions are understood: no text, lists, variables or assignments.',
    },
    unknownName: {
      message: (subject) => `"${subject}" is not a function or constant of this calculator.`,
      hint: `Constants: pi e tau. Functions, with brackets: ${FUNCTIONS}. For units use convert_units.`,
    },
    wholeNumbers: {
      message: () => 'A factorial, a choice, gcd or lcm needs whole numbers that are not negative.',
      hint: 'Round the operand first if that is what was meant.',
    },
    wrongArguments: {
      message: (subject) => `The function ${subject} was given the wrong number of operands.`,
      hint: 'round(x, decimals), root(x, degree), log(x, base), pow(x, y), mod(x, y), combinations(n, k); for one operand use ln or lg.',
    },
  },
  zh: {
    ambiguous: {
      message: (subject) => `“${subject}”有多种读法，无法确定含义。`,
      hint: '请写出每个乘号并加上括号，数字请用阿拉伯数字书写。',
    },
    divisionByZero: {
      message: () => '算式中除数为零，没有结果。',
      hint: '请检查除数，并告诉用户除以零没有意义。',
    },
    empty: { message: () => '没有给出算式。', hint: '请给出算式，例如 12 * (3 + 4)。' },
    incomplete: { message: () => '算式不完整，过早结束。', hint: '请补全：末尾缺少数字或右括号。' },
    notReal: {
      message: () => '该算式在实数范围内没有结果。',
      hint: '其中对负数开偶次方或取对数，或反三角函数的自变量不在 -1 到 1 之间。',
    },
    outOfRange: {
      message: () => '计算中的数过大或过小，超过 10,000 位。',
      hint: '请使用更小的数，不要自行估算这个结果。',
    },
    tooDeep: { message: () => '算式嵌套超过 100 层。', hint: '请分几次调用计算。' },
    tooLong: { message: () => '算式超过 1,000 个字符。', hint: '请分几次调用计算。' },
    unexpected: {
      message: (subject) => `算式中的“${subject}”位置不对或无法理解。`,
      hint: '只支持数字、+ - * / ^ % !、括号和函数，不支持文字、列表、变量和赋值。',
    },
    unknownName: {
      message: (subject) => `计算器没有名为“${subject}”的函数或常数。`,
      hint: `常数：pi e tau。函数（须带括号）：${FUNCTIONS}。单位换算请用 convert_units。`,
    },
    wholeNumbers: {
      message: () => '阶乘、排列组合、最大公约数和最小公倍数只能用于非负整数。',
      hint: '如果本意如此，请先取整。',
    },
    wrongArguments: {
      message: (subject) => `函数 ${subject} 的参数个数不对。`,
      hint: 'round(x, 小数位数)、root(x, 次数)、log(x, 底数)、pow(x, y)、mod(x, y)、combinations(n, k)；只有一个参数时用 ln 或 lg。',
    },
  },
};
