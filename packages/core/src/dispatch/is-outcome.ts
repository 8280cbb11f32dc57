import type { Outcome } from '../contracts/outcome.ts';
import type { StepEnd } from './step.ts';

/** The call has ended. */
export function isOutcome(end: StepEnd): end is Outcome {
  return typeof end === 'object';
}
