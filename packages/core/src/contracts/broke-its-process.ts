import type { Problem } from './problem.ts';

const BREAKS: ReadonlySet<string> = new Set([
  'execution.load-blocked',
  'execution.load-out-of-time',
  'execution.load-out-of-memory',
  'execution.load-misused-pipe',
  'execution.load-killed',
  'execution.load-exited',
]);

/**
 * Whether a file did to the process that loaded it what no process survives: ended it, blocked it, or used up its
 * memory. Loaded in the host it would do the same there; a mere throw would not.
 *
 * @example
 * if (described.problems.some(brokeItsProcess)) return; // not to be loaded in the host
 */
export function brokeItsProcess(problem: Problem): boolean {
  return BREAKS.has(problem.message.key);
}
