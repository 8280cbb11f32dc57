import { CalculationFault } from './calculation-fault.ts';
import type { Arithmetic } from './create-arithmetic.ts';
import { floor } from './rational.ts';
import type { Real } from './real.ts';
import { binary, type NamedFunctions, type RealFunction, unary, variadic } from './real-function.ts';

const MOST_DECIMALS = 100n;

/** Rounding, remainders, and what picks or sums up several numbers. Halves are rounded away from zero. */
export function comparingFunctions(arithmetic: Arithmetic): NamedFunctions {
  const { add, compare, divide, fromInteger, multiply, negate, power, settled, wholeNumber } = arithmetic;
  const zero = fromInteger(0n);
  const half = divide(fromInteger(1n), fromInteger(2n));

  const floored = (value: Real): Real => fromInteger(floor(settled(value)));
  const ceiled = (value: Real): Real => negate(floored(negate(value)));
  const bySize = (value: Real, round: (size: Real) => Real): Real =>
    compare(value, zero) < 0 ? negate(round(negate(value))) : round(value);
  const rounded = (value: Real, decimals: Real): Real => {
    const count = wholeNumber(decimals);
    if (count < -MOST_DECIMALS || count > MOST_DECIMALS) throw new CalculationFault('outOfRange');
    const scale = power(fromInteger(10n), fromInteger(count));
    return divide(
      bySize(multiply(value, scale), (size) => floored(add(size, half))),
      scale,
    );
  };
  const modulo = (value: Real, divisor: Real): Real =>
    add(value, negate(multiply(divisor, floored(divide(value, divisor)))));

  const round: RealFunction = { fewest: 1, most: 2, apply: (value, decimals = zero) => rounded(value, decimals) };
  const sum = (first: Real, ...rest: readonly Real[]): Real => rest.reduce(add, first);
  const pick = (isBetter: (order: number) => boolean): RealFunction =>
    variadic((first, ...rest) => rest.reduce((best, value) => (isBetter(compare(value, best)) ? value : best), first));

  return [
    ['abs', unary((value) => (compare(value, zero) < 0 ? negate(value) : value))],
    ['floor', unary(floored)],
    ['ceil', unary(ceiled)],
    ['trunc', unary((value) => bySize(value, floored))],
    ['round', round],
    ['mod', binary(modulo)],
    ['min', pick((order) => order < 0)],
    ['max', pick((order) => order > 0)],
    ['sum', variadic(sum)],
    ['mean', variadic((first, ...rest) => divide(sum(first, ...rest), fromInteger(BigInt(rest.length + 1))))],
  ];
}
