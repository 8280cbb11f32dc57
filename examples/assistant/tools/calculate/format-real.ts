import { decimal, RELIABLE_DIGITS } from './arithmetic.ts';
import type { Rational } from './rational.ts';
import type { Real } from './real.ts';

export interface FormattedReal {
  /** Decimal digits; all of them where they end, else the first 32 significant ones. */
  readonly result: string;
  /** Nothing was rounded away. */
  readonly exact: boolean;
  /** The exact value of a decimal fraction that never ends, e.g. `1/3`. */
  readonly fraction?: string;
  /** The same value as a number, where a number holds it without loss. */
  readonly number?: number;
}

const LONGEST_FRACTION = 50;
/** Any decimal of so many significant digits survives the way through a number and back. */
const LOSSLESS_DIGITS = 15;

/** Writes a number down. */
export function formatReal(real: Real): FormattedReal {
  const ending = real.kind === 'exact' ? endingDecimal(real.value) : undefined;
  const result = ending ?? decimal(real).toSignificantDigits(RELIABLE_DIGITS).toString();
  const fraction = real.kind === 'exact' ? `${real.value.numerator}/${real.value.denominator}` : '';
  const isShown = ending === undefined && fraction !== '' && fraction.length <= LONGEST_FRACTION;
  const number = Number(result);
  return {
    result,
    exact: ending !== undefined,
    ...(isShown && { fraction }),
    ...(isLossless(result, number) && { number }),
  };
}

function isLossless(result: string, number: number): boolean {
  if (Number.isInteger(number)) return Number.isSafeInteger(number) && String(number) === result;
  const [mantissa = ''] = result.replace(/^-?[0.]*/, '').split('e');
  return mantissa.replace('.', '').length <= LOSSLESS_DIGITS && Number.isFinite(number);
}

/** All digits of a decimal fraction that ends: its denominator divides a power of ten. */
function endingDecimal({ numerator, denominator }: Rational): string | undefined {
  const places = Math.max(timesDivisible(denominator, 2n), timesDivisible(denominator, 5n));
  const scale = 10n ** BigInt(places);
  if (scale % denominator !== 0n) return undefined;
  const scaled = numerator * (scale / denominator);
  if (places === 0) return scaled.toString();
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(places + 1, '0');
  return `${scaled < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

function timesDivisible(value: bigint, factor: bigint): number {
  let count = 0;
  for (let rest = value; rest % factor === 0n; rest /= factor) count += 1;
  return count;
}
