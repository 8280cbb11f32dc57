import type { Problem } from '../contracts/problem.ts';
import { maskMessage } from './mask-message.ts';

/** A problem in which nothing that `mask` knows as secret can be read. */
export function maskProblem(problem: Problem, mask: (text: string) => string): Problem {
  const { file, field, found, expected, hint } = problem;
  return {
    ...problem,
    ...(file === undefined ? {} : { file: mask(file) }),
    ...(field === undefined ? {} : { field: mask(field) }),
    ...(found === undefined ? {} : { found: mask(found) }),
    ...(expected === undefined ? {} : { expected: mask(expected) }),
    message: maskMessage(problem.message, mask),
    ...(hint === undefined ? {} : { hint: maskMessage(hint, mask) }),
  };
}
