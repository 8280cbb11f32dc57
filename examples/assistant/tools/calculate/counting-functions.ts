import { fromInteger, wholeNumber } from './arithmetic.ts';
import { CalculationFault } from './calculation-fault.ts';
import { bitLength, FRACTION_BITS, greatestCommonDivisor, INTEGER_BITS } from './rational.ts';
import type { Real } from './real.ts';
import { binary, type NamedFunctions, type RealFunction, unary, variadic } from './real-function.ts';

/** The last one whose factorial has at most 10,000 digits. */
const LARGEST_FACTORIAL = 3_248n;
const MOST_CHOSEN = 5_000n;

/** What is defined for whole numbers only. */
export const countingFunctions: NamedFunctions = [
  ['gcd', folded(commonDivisor, 0n)],
  ['lcm', folded(commonMultiple, 1n)],
  ['factorial', unary(factorial)],
  ['permutations', binary(permutations)],
  ['combinations', binary(combinations)],
];

function folded(apply: (left: bigint, right: bigint) => bigint, neutral: bigint): RealFunction {
  return variadic((...values) => fromInteger(values.map(wholeNumber).reduce(apply, neutral)));
}

function natural(value: Real): bigint {
  const read = wholeNumber(value);
  if (read < 0n) throw new CalculationFault('wholeNumbers');
  return read;
}

function factorial(value: Real): Real {
  const count = natural(value);
  if (count > LARGEST_FACTORIAL) throw new CalculationFault('outOfRange');
  return fromInteger(falling(count, count));
}

function permutations(from: Real, chosen: Real): Real {
  const [all, some] = [natural(from), natural(chosen)];
  return fromInteger(some > all ? 0n : falling(all, some));
}

function combinations(from: Real, chosen: Real): Real {
  const [all, some] = [natural(from), natural(chosen)];
  if (some > all) return fromInteger(0n);
  // The same number, from the fewer factors.
  const count = some * 2n > all ? all - some : some;
  return fromInteger(falling(all, count) / falling(count, count));
}

/** `from · (from − 1) · …`, with as many factors as are counted. */
function falling(from: bigint, count: bigint): bigint {
  if (count > MOST_CHOSEN || Number(count) * bitLength(from) > 2 * INTEGER_BITS) {
    throw new CalculationFault('outOfRange');
  }
  let product = 1n;
  for (let factor = from; factor > from - count; factor -= 1n) product *= factor;
  return product;
}

function commonDivisor(left: bigint, right: bigint): bigint {
  // Euclid's algorithm costs the square of the shorter number's length.
  if (Math.min(bitLength(left), bitLength(right)) > FRACTION_BITS) throw new CalculationFault('outOfRange');
  return greatestCommonDivisor(left, right);
}

function commonMultiple(left: bigint, right: bigint): bigint {
  if (left === 0n || right === 0n) return 0n;
  const multiple = (left / commonDivisor(left, right)) * right;
  return multiple < 0n ? -multiple : multiple;
}
