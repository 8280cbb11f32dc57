import { type BigNumber, bignumberDependencies, create } from 'mathjs';
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

/** Significant digits that rounded numbers are calculated with. */
const PRECISION = 64;
/** Of these, those that stay right through a long calculation and are shown. */
export const RELIABLE_DIGITS = 32;
/** A rounded difference this much smaller than its operands is nothing but their rounding errors. */
const CANCELLED_DIGITS = 50;
/** Roots are looked for exactly up to this degree. */
const MAX_EXACT_ROOT = 64;

/** Calculates with numbers of any kind: exactly as long as that is possible and not too long. */
export interface Arithmetic {
  readonly fromDigits: (digits: string, exponent: number) => Real;
  readonly fromDecimal: (value: BigNumber) => Real;
  readonly fromInteger: (value: bigint) => Real;
  readonly decimal: (value: Real) => BigNumber;
  readonly constant: (name: ConstantName) => Real;
  /** A rounded number taken at its word, without the last digits, which may be wrong. */
  readonly settled: (value: Real) => Rational;
  /** The value, which must be a whole number. */
  readonly wholeNumber: (value: Real) => bigint;
  readonly add: (one: Real, other: Real) => Real;
  readonly negate: (value: Real) => Real;
  readonly multiply: (one: Real, other: Real) => Real;
  readonly divide: (one: Real, other: Real) => Real;
  readonly power: (base: Real, exponent: Real) => Real;
  /** The real root; of a negative number for odd degrees only. */
  readonly root: (value: Real, degree: number) => Real;
  /** Below 0, 0, above 0. */
  readonly compare: (one: Real, other: Real) => number;
}

/** @throws CalculationFault from its functions: division by zero, no real result, result out of range. */
export function createArithmetic(): Arithmetic {
  const { bignumber } = create({ ...bignumberDependencies }, { number: 'BigNumber', precision: PRECISION });

  const exact = (value: Rational): Real => ({ kind: 'exact', value });

  const fromDecimal = (value: BigNumber): Real => {
    if (value.isNaN()) throw new CalculationFault('notReal');
    if (!value.isFinite() || Math.abs(value.e) >= MAX_INTEGER_DIGITS) throw new CalculationFault('outOfRange');
    return { kind: 'rounded', value };
  };

  const quotient = (numerator: bigint, denominator: bigint): Real => {
    const value = rational(numerator, denominator);
    return value === undefined ? fromDecimal(ratio(numerator, denominator)) : exact(value);
  };

  const ratio = (numerator: bigint, denominator: bigint): BigNumber =>
    bignumber(String(numerator)).div(String(denominator)).toSignificantDigits(PRECISION);

  const decimal = ({ kind, value }: Real): BigNumber =>
    kind === 'exact' ? ratio(value.numerator, value.denominator) : value;

  const fromDigits = (digits: string, exponent: number): Real => {
    const [before = '', after = ''] = digits.split('.');
    const shift = exponent - after.length;
    if (Math.abs(exponent) > MAX_INTEGER_DIGITS) throw new CalculationFault('outOfRange');
    const power = 10n ** BigInt(Math.abs(shift));
    const mantissa = BigInt(before + after);
    return shift < 0 ? quotient(mantissa, power) : exact(whole(mantissa * power));
  };

  const settled = (value: Real): Rational => {
    if (value.kind === 'exact') return value.value;
    const [digits = '', power = '0'] = value.value
      .toSignificantDigits(RELIABLE_DIGITS)
      .abs()
      .toExponential()
      .split('e');
    const read = fromDigits(digits, Number(power));
    if (read.kind !== 'exact') throw new CalculationFault('outOfRange');
    return value.value.isNegative() ? { ...read.value, numerator: -read.value.numerator } : read.value;
  };

  const wholeNumber = (value: Real): bigint => {
    const read = settled(value);
    if (!isWhole(read)) throw new CalculationFault('wholeNumbers');
    return read.numerator;
  };

  const constant = (name: ConstantName): Real => {
    if (name === 'e') return fromDecimal(bignumber(1).exp());
    const pi = bignumber(-1).acos();
    return fromDecimal(name === 'pi' ? pi : name === 'tau' ? pi.times(2) : pi.div(180));
  };

  const add = (one: Real, other: Real): Real => {
    if (one.kind === 'exact' && other.kind === 'exact') {
      const { value: a } = one;
      const { value: b } = other;
      return quotient(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
    }
    const [a, b] = [decimal(one), decimal(other)];
    const sum = a.plus(b);
    const cancelled = !a.isZero() && !b.isZero() && sum.e < Math.max(a.e, b.e) - CANCELLED_DIGITS;
    return fromDecimal(cancelled ? bignumber(0) : sum);
  };

  const negate = (value: Real): Real =>
    value.kind === 'exact'
      ? exact({ ...value.value, numerator: -value.value.numerator })
      : { kind: 'rounded', value: value.value.neg() };

  const multiply = (one: Real, other: Real): Real => {
    if (one.kind !== 'exact' || other.kind !== 'exact') return fromDecimal(decimal(one).times(decimal(other)));
    const { value: a } = one;
    const { value: b } = other;
    return quotient(a.numerator * b.numerator, a.denominator * b.denominator);
  };

  const divide = (one: Real, other: Real): Real => {
    if (isZero(other)) throw new CalculationFault('divisionByZero');
    if (one.kind !== 'exact' || other.kind !== 'exact') return fromDecimal(decimal(one).div(decimal(other)));
    const { value: a } = one;
    const { value: b } = other;
    return quotient(a.numerator * b.denominator, a.denominator * b.numerator);
  };

  const power = (base: Real, exponent: Real): Real => {
    if (isZero(base) && sign(exponent) < 0) throw new CalculationFault('divisionByZero');
    if (base.kind === 'exact' && exponent.kind === 'exact') {
      const value = isWhole(exponent.value)
        ? wholePower(base.value, exponent.value.numerator)
        : fractionalPower(base.value, exponent.value);
      if (value !== undefined) return value;
    }
    return decimalPower(decimal(base), decimal(exponent));
  };

  const wholePower = ({ numerator, denominator }: Rational, exponent: bigint): Real | undefined => {
    if (exponent === 0n) return exact(whole(1n));
    const size = exponent < 0n ? -exponent : exponent;
    // The powers of 0, 1 and -1 repeat, however large the exponent is.
    if (denominator === 1n && numerator ** 2n <= 1n) return exact(whole(numerator ** (2n - (size % 2n))));
    const bits = Math.max(bitLength(numerator), bitLength(denominator)) * Number(size);
    if (bits > (exponent > 0n && denominator === 1n ? INTEGER_BITS : FRACTION_BITS)) return undefined;
    const [above, below] = exponent < 0n ? [denominator, numerator] : [numerator, denominator];
    return quotient(above ** size, below ** size);
  };

  /** Exact where the root is: `8^(2/3)` is 4. */
  const fractionalPower = (base: Rational, exponent: Rational): Real | undefined => {
    if (base.numerator < 0n) throw new CalculationFault('notReal');
    const root = rationalRoot(base, exponent.denominator);
    return root && wholePower(root, exponent.numerator);
  };

  const decimalPower = (base: BigNumber, exponent: BigNumber): Real => {
    if (base.isZero()) return fromDecimal(exponent.isZero() ? bignumber(1) : base);
    if (base.isNegative() && !exponent.isInteger()) throw new CalculationFault('notReal');
    const magnitude = base.abs().log(10).times(exponent);
    if (magnitude.abs().gt(MAX_INTEGER_DIGITS)) throw new CalculationFault('outOfRange');
    return fromDecimal(base.pow(exponent));
  };

  const root = (value: Real, degree: number): Real => {
    const isNegative = sign(value) < 0;
    if (isNegative && degree % 2 === 0) throw new CalculationFault('notReal');
    const magnitude = isNegative ? negate(value) : value;
    const exactValue = magnitude.kind === 'exact' ? rationalRoot(magnitude.value, BigInt(degree)) : undefined;
    const result =
      exactValue === undefined ? decimalPower(decimal(magnitude), bignumber(1).div(degree)) : exact(exactValue);
    return isNegative ? negate(result) : result;
  };

  const compare = (one: Real, other: Real): number => sign(add(one, negate(other)));

  return {
    fromDigits,
    fromDecimal,
    fromInteger: (value) => exact(whole(value)),
    decimal,
    constant,
    settled,
    wholeNumber,
    add,
    negate,
    multiply,
    divide,
    power,
    root,
    compare,
  };
}

function sign({ kind, value }: Real): number {
  if (kind === 'rounded') return value.isZero() ? 0 : value.isNegative() ? -1 : 1;
  return value.numerator === 0n ? 0 : value.numerator < 0n ? -1 : 1;
}

function isZero(value: Real): boolean {
  return sign(value) === 0;
}

function rationalRoot({ numerator, denominator }: Rational, degree: bigint): Rational | undefined {
  if (degree > MAX_EXACT_ROOT) return undefined;
  const above = exactRoot(numerator, Number(degree));
  const below = exactRoot(denominator, Number(degree));
  return above === undefined || below === undefined ? undefined : { numerator: above, denominator: below };
}
