import type { Problem } from '../contracts/problem.ts';
import { compareCodeUnits } from './compare-code-units.ts';

/** By file, and within a file in the order in which they were found. */
export function sortProblems(problems: readonly Problem[]): readonly Problem[] {
  const fileOf = (problem: Problem) => (problem.file ?? '').replace(/:\d+:\d+$/, '');
  return problems.toSorted((a, b) => compareCodeUnits(fileOf(a), fileOf(b)));
}
