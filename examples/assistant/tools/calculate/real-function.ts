import type { Real } from './real.ts';

/** A function that expressions may call, and how many operands it takes. */
export interface RealFunction {
  readonly fewest: number;
  readonly most: number;
  /** Called with as many operands as it takes; there is always a first. */
  readonly apply: (first: Real, ...rest: readonly Real[]) => Real;
}

/** Functions by the name that expressions call them by. */
export type NamedFunctions = readonly (readonly [name: string, RealFunction])[];

export function unary(apply: (value: Real) => Real): RealFunction {
  return { fewest: 1, most: 1, apply };
}

export function binary(apply: (left: Real, right: Real) => Real): RealFunction {
  return { fewest: 2, most: 2, apply: (left, right = left) => apply(left, right) };
}

export function variadic(apply: (first: Real, ...rest: readonly Real[]) => Real): RealFunction {
  return { fewest: 1, most: Number.POSITIVE_INFINITY, apply };
}
