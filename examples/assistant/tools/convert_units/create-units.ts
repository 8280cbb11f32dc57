import { bignumberDependencies, create, type MathJsInstance, unitDependencies } from 'mathjs';

/** What is used of mathjs here: its units and its decimals. The expression parser is not among it. */
export type Units = Pick<MathJsInstance, 'Unit' | 'bignumber'>;

/** mathjs with units that calculate in decimals of 64 digits, so that 100 cm are exactly 1 m. */
export function createUnits(): Units {
  return create({ ...bignumberDependencies, ...unitDependencies }, { number: 'BigNumber', precision: 64 });
}
