import { CalculationFault } from './calculation-fault.ts';
import type { Arithmetic } from './create-arithmetic.ts';
import type { Real } from './real.ts';
import { binary, type NamedFunctions, unary } from './real-function.ts';

/** Angles beyond this power of ten have no meaningful sine at the precision that is calculated with. */
const LARGEST_ANGLE_EXPONENT = 30;
/** A sine smaller than this, of an angle larger than that, is what is left of rounding π. */
const NOTHING = '1e-30';
const SMALL_ANGLE_EXPONENT = -10;

/** Roots, powers, logarithms and the functions of angles (in radians). */
export function elementaryFunctions(arithmetic: Arithmetic): NamedFunctions {
  const { compare, decimal, divide, fromDecimal, fromInteger, power, root, wholeNumber } = arithmetic;
  const zero = fromInteger(0n);

  const nthRoot = (value: Real, degree: Real): Real => {
    const count = wholeNumber(degree);
    if (count < 1n || count > 1_000n) throw new CalculationFault('outOfRange');
    return root(value, Number(count));
  };
  const ln = (value: Real): Real => {
    if (compare(value, zero) <= 0) throw new CalculationFault('notReal');
    return fromDecimal(decimal(value).ln());
  };
  const logarithm = (value: Real, base: Real): Real => divide(ln(value), ln(base));
  const commonLogarithm = (value: Real): Real => logarithm(value, fromInteger(10n));

  const circular = (angle: Real, name: 'sin' | 'cos'): Real => {
    const radians = decimal(angle);
    if (radians.e > LARGEST_ANGLE_EXPONENT) throw new CalculationFault('outOfRange');
    const result = radians[name]();
    return result.abs().lt(NOTHING) && radians.e > SMALL_ANGLE_EXPONENT ? zero : fromDecimal(result);
  };
  const sin = (angle: Real): Real => circular(angle, 'sin');
  const cos = (angle: Real): Real => circular(angle, 'cos');

  return [
    ['sqrt', unary((value) => root(value, 2))],
    ['cbrt', unary((value) => root(value, 3))],
    ['root', binary(nthRoot)],
    ['pow', binary(power)],
    ['exp', unary((value) => power(arithmetic.constant('e'), value))],
    ['ln', unary(ln)],
    ['log', binary(logarithm)],
    ['log2', unary((value) => logarithm(value, fromInteger(2n)))],
    ['log10', unary(commonLogarithm)],
    ['lg', unary(commonLogarithm)],
    ['sin', unary(sin)],
    ['cos', unary(cos)],
    ['tan', unary((angle) => divide(sin(angle), cos(angle)))],
    ['asin', unary((value) => fromDecimal(decimal(value).asin()))],
    ['acos', unary((value) => fromDecimal(decimal(value).acos()))],
    ['atan', unary((value) => fromDecimal(decimal(value).atan()))],
  ];
}
