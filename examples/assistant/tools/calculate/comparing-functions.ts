import {
  add,
  compare,
  divide,
  fromInteger,
  multiply,
  negate,
  power,
  settled,
  sign,
  wholeNumber,
} from './arithmetic.ts';
import { CalculationFault } from './calculation-fault.ts';
import { floor } from './rational.ts';
import type { Real } from './real.ts';
import { binary, type NamedFunctions, type RealFunction, unary, variadic } from './real-function.ts';

const MOST_DECIMALS = 100n;

/** Rounding, remainders, and what picks or sums up several numbers. Halves are rounded away from zero. */
export const comparingFunctions: NamedFunctions = [
  ['abs', unary((value) => (sign(value) < 0 ? negate(value) : value))],
  ['floor', unary(floored)],
  ['ceil', unary((value) => negate(floored(negate(value))))],
  ['trunc', unary((value) => bySize(value, floored))],
  ['round', { fewest: 1, most: 2, apply: rounded }],
  ['mod', binary(modulo)],
  ['min', best((order) => order < 0)],
  ['max', best((order) => order > 0)],
  ['sum', variadic(sum)],
  ['mean', variadic((first, ...rest) => divide(sum(first, ...rest), fromInteger(BigInt(rest.length + 1))))],
];

function floored(value: Real): Real {
  return fromInteger(floor(settled(value)));
}

/** Does the same to a number and to its negative. */
function bySize(value: Real, apply: (size: Real) => Real): Real {
  return sign(value) < 0 ? negate(apply(negate(value))) : apply(value);
}

function rounded(value: Real, decimals: Real = fromInteger(0n)): Real {
  const count = wholeNumber(decimals);
  if (count < -MOST_DECIMALS || count > MOST_DECIMALS) throw new CalculationFault('outOfRange');
  const scale = power(fromInteger(10n), fromInteger(count));
  const half = divide(fromInteger(1n), fromInteger(2n));
  const scaled = bySize(multiply(value, scale), (size) => floored(add(size, half)));
  return divide(scaled, scale);
}

function modulo(value: Real, divisor: Real): Real {
  return add(value, negate(multiply(divisor, floored(divide(value, divisor)))));
}

function sum(first: Real, ...rest: readonly Real[]): Real {
  return rest.reduce(add, first);
}

function best(isBetter: (order: number) => boolean): RealFunction {
  return variadic((first, ...rest) =>
    rest.reduce((found, value) => (isBetter(compare(value, found)) ? value : found), first),
  );
}
