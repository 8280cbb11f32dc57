import { CalculationFault } from './calculation-fault.ts';
import { comparingFunctions } from './comparing-functions.ts';
import { countingFunctions } from './counting-functions.ts';
import type { Arithmetic } from './create-arithmetic.ts';
import { elementaryFunctions } from './elementary-functions.ts';
import type { BinaryOperator, Expression } from './expression.ts';
import type { Real } from './real.ts';
import type { RealFunction } from './real-function.ts';

/**
 * Works an expression out. A percentage that is added or subtracted is one of what stands before it, as on a pocket
 * calculator: `200 + 10%` is 220; between percentages it is not: `5% + 3%` is 0.08.
 *
 * @throws CalculationFault for an unknown function, a wrong number of operands, and what has no result.
 */
export function evaluateExpression(expression: Expression, arithmetic: Arithmetic): Real {
  const { add, divide, fromInteger, multiply, negate, power } = arithmetic;
  const functions: ReadonlyMap<string, RealFunction> = new Map([
    ...elementaryFunctions(arithmetic),
    ...comparingFunctions(arithmetic),
    ...countingFunctions(arithmetic),
  ]);
  const hundred = fromInteger(100n);

  const evaluate = (node: Expression): Real => {
    switch (node.kind) {
      case 'number':
        return arithmetic.fromDigits(node.digits, node.exponent);
      case 'constant':
        return arithmetic.constant(node.name);
      case 'negate':
        return negate(evaluate(node.operand));
      case 'percent':
        return divide(evaluate(node.operand), hundred);
      case 'factorial':
        return call('factorial', [evaluate(node.operand)]);
      case 'call':
        return call(node.name, node.operands.map(evaluate));
      case 'binary':
        return operate(node.operator, node.left, node.right);
    }
  };

  const operate = (operator: BinaryOperator, leftNode: Expression, rightNode: Expression): Real => {
    const left = evaluate(leftNode);
    const right = evaluate(rightNode);
    const ofLeft = rightNode.kind === 'percent' && !isPercentage(leftNode) ? multiply(left, right) : right;
    switch (operator) {
      case '+':
        return add(left, ofLeft);
      case '-':
        return add(left, negate(ofLeft));
      case '*':
        return multiply(left, right);
      case '/':
        return divide(left, right);
      case '^':
        return power(left, right);
      case 'mod':
        return call('mod', [left, right]);
    }
  };

  const call = (name: string, operands: readonly Real[]): Real => {
    const target = functions.get(name);
    if (target === undefined) throw new CalculationFault('unknownName', name);
    const [first, ...rest] = operands;
    if (first === undefined || operands.length < target.fewest || operands.length > target.most) {
      throw new CalculationFault('wrongArguments', name);
    }
    return target.apply(first, ...rest);
  };

  return evaluate(expression);
}

function isPercentage(node: Expression): boolean {
  if (node.kind === 'binary')
    return '+-'.includes(node.operator) && isPercentage(node.left) && isPercentage(node.right);
  return node.kind === 'percent';
}
