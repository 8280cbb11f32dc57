import { CalculationFault } from './calculation-fault.ts';
import type { BinaryOperator, ConstantName, Expression } from './expression.ts';
import type { Token, TokenSymbol } from './token.ts';

/** Brackets, signs, powers and roots inside one another. */
const MAX_DEPTH = 100;

const CONSTANTS: ReadonlyMap<string, ConstantName> = new Map([
  ['pi', 'pi'],
  ['tau', 'tau'],
  ['e', 'e'],
]);

/**
 * Reads tokens by the usual precedence: `+ -`, then `* / mod`, then sign, then `^` (from the right), then what follows
 * a number (`!`, `%`, `°`, 平方 …). What people read in two ways is refused: `6/2(1+2)`, `1/2pi`, `3!!`.
 *
 * @throws CalculationFault for anything that is not one complete expression.
 */
export function parseExpression(tokens: readonly Token[]): Expression {
  let at = 0;
  let depth = 0;

  const peek = (): Token | undefined => tokens[at];
  const peekSymbol = (): TokenSymbol | undefined => {
    const token = peek();
    return token?.kind === 'symbol' ? token.symbol : undefined;
  };
  const takeSymbol = <Wanted extends TokenSymbol>(...wanted: readonly Wanted[]): Wanted | undefined => {
    const symbol = peekSymbol();
    const taken = wanted.find((candidate) => candidate === symbol);
    if (taken !== undefined) at += 1;
    return taken;
  };
  const unexpected = (): CalculationFault => {
    const token = peek();
    return token === undefined ? new CalculationFault('incomplete') : new CalculationFault('unexpected', token.text);
  };
  const expect = (symbol: TokenSymbol): void => {
    if (takeSymbol(symbol) === undefined) throw unexpected();
  };
  const nested = (parse: () => Expression): Expression => {
    depth += 1;
    if (depth > MAX_DEPTH) throw new CalculationFault('tooDeep');
    const expression = parse();
    depth -= 1;
    return expression;
  };

  const sum = (): Expression => {
    let left = product();
    for (;;) {
      const operator = takeSymbol('+', '-');
      if (operator === undefined) return left;
      left = binary(operator, left, product());
    }
  };

  const product = (): Expression => {
    let left = signed();
    let divided = false;
    for (;;) {
      const operator = takeSymbol('*', '/', 'mod', '%');
      if (operator !== undefined) {
        left = binary(operator === '%' ? 'mod' : operator, left, signed());
        divided = operator !== '*';
      } else if (startsFactor()) {
        if (divided) throw new CalculationFault('ambiguous', tokens.map(({ text }) => text).join(''));
        left = binary('*', left, signed());
      } else {
        return left;
      }
    }
  };

  /** A factor without a sign of multiplication before it: `2(3+4)`, `2pi`, `(2)3`. */
  const startsFactor = (): boolean => {
    const token = peek();
    if (token?.kind === 'number') return tokens[at - 1]?.text === ')';
    return token?.kind === 'name' || peekSymbol() === '(' || peekSymbol() === '√';
  };

  const signed = (): Expression =>
    nested(() => {
      const sign = takeSymbol('-', '+');
      if (sign === '-') return { kind: 'negate', operand: signed() };
      return sign === '+' ? signed() : power();
    });

  const power = (): Expression => {
    const base = withSuffixes();
    return takeSymbol('^') === undefined ? base : binary('^', base, signed());
  };

  const withSuffixes = (): Expression => {
    let operand = atom();
    for (;;) {
      const symbol = peekSymbol();
      if (symbol === '%' && startsOperand(tokens[at + 1])) return operand;
      if (symbol === undefined || !SUFFIXES.has(symbol)) return operand;
      at += 1;
      operand = suffixed(symbol, operand);
    }
  };

  const suffixed = (symbol: TokenSymbol, operand: Expression): Expression => {
    switch (symbol) {
      case '%':
        return { kind: 'percent', operand };
      case '!':
        if (peekSymbol() === '!') throw new CalculationFault('ambiguous', '!!');
        return { kind: 'factorial', operand };
      case '°':
        return binary('*', operand, { kind: 'constant', name: 'degree' });
      case 'squared':
        return binary('^', operand, numeral('2'));
      case 'cubed':
        return binary('^', operand, numeral('3'));
      case 'square-root-of-it':
        return { kind: 'call', name: 'sqrt', operands: [operand] };
      case 'cube-root-of-it':
        return { kind: 'call', name: 'cbrt', operands: [operand] };
      case 'parts':
        return binary('/', atom(), operand);
      default:
        return partOrPower(operand);
    }
  };

  /** After 的: `2的10次方`, `100的20%`, `60的三分之一`. */
  const partOrPower = (operand: Expression): Expression => {
    const sign = takeSymbol('-');
    const value = atom();
    const signedValue: Expression = sign === undefined ? value : { kind: 'negate', operand: value };
    if (takeSymbol('th-power') !== undefined) return binary('^', operand, signedValue);
    if (takeSymbol('%') !== undefined) return binary('*', operand, { kind: 'percent', operand: signedValue });
    if (takeSymbol('parts') !== undefined) return binary('*', operand, binary('/', atom(), signedValue));
    return binary('*', operand, signedValue);
  };

  const atom = (): Expression => {
    const token = peek();
    if (token === undefined) throw unexpected();
    if (token.kind === 'number') {
      at += 1;
      return { kind: 'number', digits: token.digits, exponent: token.exponent };
    }
    if (token.kind === 'name') {
      at += 1;
      return constantOrCall(token.name, token.text);
    }
    if (takeSymbol('√') !== undefined) return { kind: 'call', name: 'sqrt', operands: [nested(withSuffixes)] };
    if (takeSymbol('percent-of') !== undefined) return { kind: 'percent', operand: nested(atom) };
    expect('(');
    const inner = nested(sum);
    expect(')');
    return inner;
  };

  const constantOrCall = (name: string, text: string): Expression => {
    const constant = CONSTANTS.get(name);
    if (constant !== undefined) return { kind: 'constant', name: constant };
    if (takeSymbol('(') === undefined) throw new CalculationFault('unknownName', text);
    const operands = takeSymbol(')') === undefined ? [nested(sum)] : undefined;
    if (operands === undefined) return { kind: 'call', name, operands: [] };
    while (takeSymbol(',') !== undefined) operands.push(nested(sum));
    expect(')');
    return { kind: 'call', name, operands };
  };

  if (tokens.length === 0) throw new CalculationFault('empty');
  const expression = sum();
  if (at < tokens.length) throw unexpected();
  return expression;
}

const SUFFIXES: ReadonlySet<TokenSymbol> = new Set<TokenSymbol>([
  '%',
  '!',
  '°',
  'of',
  'parts',
  'squared',
  'cubed',
  'square-root-of-it',
  'cube-root-of-it',
]);

/** `%` before an operand divides with remainder, else it is a percentage. */
function startsOperand(token: Token | undefined): boolean {
  if (token === undefined) return false;
  return token.kind !== 'symbol' || ['(', '√', 'percent-of'].includes(token.symbol);
}

function binary(operator: BinaryOperator, left: Expression, right: Expression): Expression {
  return { kind: 'binary', operator, left, right };
}

function numeral(digits: string): Expression {
  return { kind: 'number', digits, exponent: 0 };
}
