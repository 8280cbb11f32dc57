import { bignumberDependencies, create, type MathJsInstance, unitDependencies } from 'mathjs';

/**
 * What is used of mathjs here: its units, calculating in decimals of 64 digits, so that 100 cm are exactly 1 m. The
 * expression parser is not among it.
 */
export const units: Pick<MathJsInstance, 'Unit' | 'bignumber'> = create(
  { ...bignumberDependencies, ...unitDependencies },
  { number: 'BigNumber', precision: 64 },
);
