import { CalculationFault } from './calculation-fault.ts';

/** An exact number `numerator / denominator`, in lowest terms, the denominator positive. */
export interface Rational {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Decimal digits of the largest whole number that is calculated with. */
export const MAX_INTEGER_DIGITS = 10_000;
/** Decimal digits of numerator and denominator of the longest fraction that is kept exact. */
const MAX_FRACTION_DIGITS = 1_000;

/** The same limits in bits. */
export const INTEGER_BITS = MAX_INTEGER_DIGITS * Math.log2(10);
export const FRACTION_BITS = MAX_FRACTION_DIGITS * Math.log2(10);

/**
 * The exact quotient, or undefined where it would be a fraction too long to keep exact.
 *
 * @throws CalculationFault for a denominator of zero and for whole numbers beyond {@link MAX_INTEGER_DIGITS}.
 */
export function rational(numerator: bigint, denominator = 1n): Rational | undefined {
  if (denominator === 0n) throw new CalculationFault('divisionByZero');
  if (numerator % denominator === 0n) return whole(numerator / denominator);
  const short = Math.min(bitLength(numerator), bitLength(denominator));
  // Euclid's algorithm costs the square of the shorter number, so it is not started on two long ones.
  if (short > 2 * FRACTION_BITS) return undefined;
  const divisor = greatestCommonDivisor(numerator, denominator) * (denominator < 0n ? -1n : 1n);
  const reduced = { numerator: numerator / divisor, denominator: denominator / divisor };
  const long = Math.max(bitLength(reduced.numerator), bitLength(reduced.denominator));
  return long > FRACTION_BITS ? undefined : reduced;
}

/** The whole number, if it is not too long. */
export function whole(value: bigint): Rational {
  if (bitLength(value) >= INTEGER_BITS) throw new CalculationFault('outOfRange');
  return { numerator: value, denominator: 1n };
}

export function isWhole(value: Rational): boolean {
  return value.denominator === 1n;
}

/** Bits that the number takes, to a small fraction of a bit; its sign does not count, and 0 takes none. */
export function bitLength(value: bigint): number {
  const hexadecimal = (value < 0n ? -value : value).toString(16);
  const leading = hexadecimal.slice(0, 13);
  return value === 0n ? 0 : Math.log2(Number.parseInt(leading, 16)) + 4 * (hexadecimal.length - leading.length);
}

/** Never negative; 0 only of two zeros. */
export function greatestCommonDivisor(one: bigint, other: bigint): bigint {
  let [large, small] = [one, other];
  while (small !== 0n) [large, small] = [small, large % small];
  return large < 0n ? -large : large;
}

/** The largest whole number that is not above the value. */
export function floor({ numerator, denominator }: Rational): bigint {
  const quotient = numerator / denominator;
  return numerator < 0n && quotient * denominator !== numerator ? quotient - 1n : quotient;
}

/** The exact root of a number that has one, e.g. 3 as the cube root of 27. The value must not be negative. */
export function exactRoot(value: bigint, degree: number): bigint | undefined {
  const root = flooredRoot(value, degree);
  return root ** BigInt(degree) === value ? root : undefined;
}

/** Newton's method from above: falls until it would not fall any more. */
function flooredRoot(value: bigint, degree: number): bigint {
  if (value < 2n) return value;
  const exponent = BigInt(degree);
  let root = 1n << BigInt(Math.ceil((bitLength(value) + 1) / degree));
  for (;;) {
    const next = ((exponent - 1n) * root + value / root ** (exponent - 1n)) / exponent;
    if (next >= root) return root;
    root = next;
  }
}
