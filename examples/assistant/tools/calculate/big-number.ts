import { type BigNumber, bignumberDependencies, create } from 'mathjs';

/** Significant digits that rounded numbers are calculated with. */
export const PRECISION = 64;

const { bignumber } = create({ ...bignumberDependencies }, { number: 'BigNumber', precision: PRECISION });

/** A decimal number of mathjs with {@link PRECISION} digits. Nothing else of mathjs is used. */
export function bigNumber(value: number | string): BigNumber {
  return bignumber(value);
}
