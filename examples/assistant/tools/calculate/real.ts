import type { BigNumber } from 'mathjs';
import type { Rational } from './rational.ts';

/** A number: exact, or a decimal of 64 digits where exactness is impossible (roots, logarithms) or too long. */
export type Real =
  | { readonly kind: 'exact'; readonly value: Rational }
  | { readonly kind: 'rounded'; readonly value: BigNumber };
