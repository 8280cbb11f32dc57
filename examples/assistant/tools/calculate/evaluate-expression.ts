import { add, constant, divide, fromDigits, fromInteger, multiply, negate, power } from './arithmetic.ts';
import { CalculationFault } from './calculation-fault.ts';
import { comparingFunctions } from './comparing-functions.ts';
import { countingFunctions } from './counting-functions.ts';
import { elementaryFunctions } from './elementary-functions.ts';
import type { BinaryOperator, Expression } from './expression.ts';
import type { Real } from './real.ts';
import type { RealFunction } from './real-function.ts';

const FUNCTIONS: ReadonlyMap<string, RealFunction> = new Map([
  ...elementaryFunctions,
  ...comparingFunctions,
  ...countingFunctions,
]);

/**
 * Works an expression out. A percentage that is added or subtracted is one of what stands before it, as on a pocket
 * calculator: `200 + 10%` is 220; between percentages it is not: `5% + 3%` is 0.08.
 *
 * @throws CalculationFault for an unknown function, a wrong number of operands, and what has no result.
 */
export function evaluateExpression(expression: Expression): Real {
  switch (expression.kind) {
    case 'number':
      return fromDigits(expression.digits, expression.exponent);
    case 'constant':
      return constant(expression.name);
    case 'negate':
      return negate(evaluateExpression(expression.operand));
    case 'percent':
      return divide(evaluateExpression(expression.operand), fromInteger(100n));
    case 'factorial':
      return call('factorial', [evaluateExpression(expression.operand)]);
    case 'call':
      return call(expression.name, expression.operands.map(evaluateExpression));
    case 'binary':
      return operate(expression.operator, expression.left, expression.right);
  }
}

function operate(operator: BinaryOperator, leftOperand: Expression, rightOperand: Expression): Real {
  const left = evaluateExpression(leftOperand);
  const right = evaluateExpression(rightOperand);
  switch (operator) {
    case '+':
      return add(left, isShare(leftOperand, rightOperand) ? multiply(left, right) : right);
    case '-':
      return add(left, negate(isShare(leftOperand, rightOperand) ? multiply(left, right) : right));
    case '*':
      return multiply(left, right);
    case '/':
      return divide(left, right);
    case '^':
      return power(left, right);
    case 'mod':
      return call('mod', [left, right]);
  }
}

function call(name: string, operands: readonly Real[]): Real {
  const target = FUNCTIONS.get(name);
  if (target === undefined) throw new CalculationFault('unknownName', name);
  const [first, ...rest] = operands;
  if (first === undefined || operands.length < target.fewest || operands.length > target.most) {
    throw new CalculationFault('wrongArguments', name);
  }
  return target.apply(first, ...rest);
}

/** Is the right one a percentage of the left one? */
function isShare(left: Expression, right: Expression): boolean {
  return right.kind === 'percent' && !isPercentage(left);
}

function isPercentage(node: Expression): boolean {
  if (node.kind === 'binary')
    return '+-'.includes(node.operator) && isPercentage(node.left) && isPercentage(node.right);
  return node.kind === 'percent';
}
