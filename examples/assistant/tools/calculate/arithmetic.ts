import type { BigNumber } from 'mathjs';
import { bigNumber, PRECISION } from './big-number.ts';
import { CalculationFault } from './calculation-fault.ts';
import type { ConstantName } from './expression.ts';
import {
  bitLength,
  exactRoot,
  FRACTION_BITS,
  INTEGER_BITS,
  isWhole,
  MAX_INTEGER_DIGITS,
  type Rational,
  rational,
  whole,
} from './rational.ts';
import type { Real } from './real.ts';

// Arithmetic with numbers of any kind: exact as long as that is possible and not too long. Each function throws a
// CalculationFault where there is no result: division by zero, no real number, out of range.

/** Of the digits of a rounded number, those that stay right through a long calculation and are shown. */
export const RELIABLE_DIGITS = 32;
/** A rounded difference this much smaller than its operands is nothing but their rounding errors. */
const CANCELLED_DIGITS = 50;
/** Roots are looked for exactly up to this degree. */
const MAX_EXACT_ROOT = 64n;

/** The number that is written `<digits>e<exponent>`. */
export function fromDigits(digits: string, exponent: number): Real {
  if (Math.abs(exponent) > MAX_INTEGER_DIGITS) throw new CalculationFault('outOfRange');
  const [before = '', after = ''] = digits.split('.');
  const mantissa = BigInt(before + after);
  const shift = exponent - after.length;
  const power = 10n ** BigInt(Math.abs(shift));
  return shift < 0 ? quotient(mantissa, power) : exact(whole(mantissa * power));
}

export function fromDecimal(value: BigNumber): Real {
  if (value.isNaN()) throw new CalculationFault('notReal');
  if (!value.isFinite() || Math.abs(value.e) >= MAX_INTEGER_DIGITS) throw new CalculationFault('outOfRange');
  return { kind: 'rounded', value };
}

export function fromInteger(value: bigint): Real {
  return exact(whole(value));
}

export function constant(name: ConstantName): Real {
  if (name === 'e') return fromDecimal(bigNumber(1).exp());
  const pi = bigNumber(-1).acos();
  return fromDecimal(name === 'pi' ? pi : name === 'tau' ? pi.times(2) : pi.div(180));
}

/** The value to {@link PRECISION} digits. */
export function decimal({ kind, value }: Real): BigNumber {
  return kind === 'exact' ? ratio(value.numerator, value.denominator) : value;
}

/** A rounded number taken at its word, without the last digits, which may be wrong. */
export function settled({ kind, value }: Real): Rational {
  if (kind === 'exact') return value;
  const [digits = '', power = '0'] = value.toSignificantDigits(RELIABLE_DIGITS).abs().toExponential().split('e');
  const size = fromDigits(digits, Number(power));
  const read = value.isNegative() ? negate(size) : size;
  if (read.kind !== 'exact') throw new CalculationFault('outOfRange');
  return read.value;
}

/** The value, which must be a whole number. */
export function wholeNumber(value: Real): bigint {
  const read = settled(value);
  if (!isWhole(read)) throw new CalculationFault('wholeNumbers');
  return read.numerator;
}

export function add(one: Real, other: Real): Real {
  if (one.kind === 'exact' && other.kind === 'exact') {
    const [a, b] = [one.value, other.value];
    return quotient(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
  }
  const [a, b] = [decimal(one), decimal(other)];
  const sum = a.plus(b);
  const isCancelled = !a.isZero() && !b.isZero() && sum.e < Math.max(a.e, b.e) - CANCELLED_DIGITS;
  return fromDecimal(isCancelled ? bigNumber(0) : sum);
}

export function negate({ kind, value }: Real): Real {
  return kind === 'exact' ? exact({ ...value, numerator: -value.numerator }) : { kind, value: value.neg() };
}

export function multiply(one: Real, other: Real): Real {
  if (one.kind !== 'exact' || other.kind !== 'exact') return fromDecimal(decimal(one).times(decimal(other)));
  const [a, b] = [one.value, other.value];
  return quotient(a.numerator * b.numerator, a.denominator * b.denominator);
}

export function divide(one: Real, other: Real): Real {
  if (sign(other) === 0) throw new CalculationFault('divisionByZero');
  if (one.kind !== 'exact' || other.kind !== 'exact') return fromDecimal(decimal(one).div(decimal(other)));
  const [a, b] = [one.value, other.value];
  return quotient(a.numerator * b.denominator, a.denominator * b.numerator);
}

export function power(base: Real, exponent: Real): Real {
  if (sign(base) === 0 && sign(exponent) < 0) throw new CalculationFault('divisionByZero');
  const result =
    base.kind === 'exact' && exponent.kind === 'exact' ? exactPower(base.value, exponent.value) : undefined;
  return result ?? decimalPower(decimal(base), decimal(exponent));
}

/** The real root of a whole degree; of a negative number for odd degrees only. */
export function root(value: Real, degree: number): Real {
  if (sign(value) < 0) {
    if (degree % 2 === 0) throw new CalculationFault('notReal');
    return negate(root(negate(value), degree));
  }
  const result = value.kind === 'exact' ? exactRootOf(value.value, BigInt(degree)) : undefined;
  return result === undefined ? decimalPower(decimal(value), bigNumber(1).div(degree)) : exact(result);
}

/** -1, 0 or 1, as the first is smaller, equal or larger. */
export function compare(one: Real, other: Real): number {
  return sign(add(one, negate(other)));
}

export function sign({ kind, value }: Real): number {
  if (kind === 'exact') return value.numerator === 0n ? 0 : value.numerator < 0n ? -1 : 1;
  return value.isZero() ? 0 : value.isNegative() ? -1 : 1;
}

function exact(value: Rational): Real {
  return { kind: 'exact', value };
}

function quotient(numerator: bigint, denominator: bigint): Real {
  const value = rational(numerator, denominator);
  return value === undefined ? fromDecimal(ratio(numerator, denominator)) : exact(value);
}

function ratio(numerator: bigint, denominator: bigint): BigNumber {
  return bigNumber(String(numerator)).div(String(denominator)).toSignificantDigits(PRECISION);
}

/** The exact power where there is one that is not too long: `8^(2/3)` is 4. */
function exactPower(base: Rational, exponent: Rational): Real | undefined {
  if (isWhole(exponent)) return wholePower(base, exponent.numerator);
  if (base.numerator < 0n) throw new CalculationFault('notReal');
  const rooted = exactRootOf(base, exponent.denominator);
  return rooted && wholePower(rooted, exponent.numerator);
}

function wholePower({ numerator, denominator }: Rational, exponent: bigint): Real | undefined {
  if (exponent === 0n) return fromInteger(1n);
  const size = exponent < 0n ? -exponent : exponent;
  // The powers of 0, 1 and -1 repeat, however large the exponent is.
  if (denominator === 1n && numerator ** 2n <= 1n) return fromInteger(numerator ** (2n - (size % 2n)));
  const bits = Math.max(bitLength(numerator), bitLength(denominator)) * Number(size);
  if (bits > (exponent > 0n && denominator === 1n ? INTEGER_BITS : FRACTION_BITS)) return undefined;
  const [above, below] = exponent < 0n ? [denominator, numerator] : [numerator, denominator];
  return quotient(above ** size, below ** size);
}

function decimalPower(base: BigNumber, exponent: BigNumber): Real {
  if (base.isZero()) return fromDecimal(exponent.isZero() ? bigNumber(1) : base);
  if (base.isNegative() && !exponent.isInteger()) throw new CalculationFault('notReal');
  // Where the power is too small for a decimal, the decimal would be 0.
  const digits = base.abs().log(10).times(exponent);
  if (digits.abs().gt(MAX_INTEGER_DIGITS)) throw new CalculationFault('outOfRange');
  return fromDecimal(base.pow(exponent));
}

function exactRootOf({ numerator, denominator }: Rational, degree: bigint): Rational | undefined {
  if (degree > MAX_EXACT_ROOT) return undefined;
  const above = exactRoot(numerator, Number(degree));
  const below = exactRoot(denominator, Number(degree));
  return above === undefined || below === undefined ? undefined : { numerator: above, denominator: below };
}
