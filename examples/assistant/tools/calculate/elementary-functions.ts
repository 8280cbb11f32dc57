import { constant, decimal, divide, fromDecimal, fromInteger, power, root, sign, wholeNumber } from './arithmetic.ts';
import { CalculationFault } from './calculation-fault.ts';
import type { Real } from './real.ts';
import { binary, type NamedFunctions, unary } from './real-function.ts';

const LARGEST_DEGREE = 1_000n;
/** Angles beyond this power of ten have no meaningful sine at the precision that is calculated with. */
const LARGEST_ANGLE_EXPONENT = 30;
/** A sine smaller than this, of an angle larger than that, is what is left of rounding π. */
const NOTHING = '1e-30';
const SMALL_ANGLE_EXPONENT = -10;

/** Roots, powers, logarithms and the functions of angles (in radians). */
export const elementaryFunctions: NamedFunctions = [
  ['sqrt', unary((value) => root(value, 2))],
  ['cbrt', unary((value) => root(value, 3))],
  ['root', binary(nthRoot)],
  ['pow', binary(power)],
  ['exp', unary((value) => power(constant('e'), value))],
  ['ln', unary(naturalLogarithm)],
  ['log', binary(logarithm)],
  ['log2', unary((value) => logarithm(value, fromInteger(2n)))],
  ['log10', unary((value) => logarithm(value, fromInteger(10n)))],
  ['lg', unary((value) => logarithm(value, fromInteger(10n)))],
  ['sin', unary((angle) => circular(angle, 'sin'))],
  ['cos', unary((angle) => circular(angle, 'cos'))],
  ['tan', unary((angle) => divide(circular(angle, 'sin'), circular(angle, 'cos')))],
  ['asin', unary((value) => fromDecimal(decimal(value).asin()))],
  ['acos', unary((value) => fromDecimal(decimal(value).acos()))],
  ['atan', unary((value) => fromDecimal(decimal(value).atan()))],
];

function nthRoot(value: Real, degree: Real): Real {
  const count = wholeNumber(degree);
  if (count < 1n || count > LARGEST_DEGREE) throw new CalculationFault('outOfRange');
  return root(value, Number(count));
}

function naturalLogarithm(value: Real): Real {
  if (sign(value) <= 0) throw new CalculationFault('notReal');
  return fromDecimal(decimal(value).ln());
}

function logarithm(value: Real, base: Real): Real {
  return divide(naturalLogarithm(value), naturalLogarithm(base));
}

function circular(angle: Real, name: 'sin' | 'cos'): Real {
  const radians = decimal(angle);
  if (radians.e > LARGEST_ANGLE_EXPONENT) throw new CalculationFault('outOfRange');
  const result = radians[name]();
  return result.abs().lt(NOTHING) && radians.e > SMALL_ANGLE_EXPONENT ? fromInteger(0n) : fromDecimal(result);
}
