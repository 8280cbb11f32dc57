import { text } from '../contracts/texts/text.ts';
import { canonicalOrRaw } from './canonical-or-raw.ts';
import { failure } from './failure.ts';
import type { Step } from './step.ts';

/** How often one call (tool and canonical arguments) may run in a turn. */
const MAX_REPEATS = 3;

/** Stops a model that makes the same call over and over. Code that does so has its reasons, and a bound of its own. */
export const refuseRepeats: Step = async (progress, next) => {
  const { call, scope, input = {} } = progress;
  if (scope.callers.length > 0 || progress.stored !== undefined) return next();
  const key = `${call.toolName} ${canonicalOrRaw(input, call.rawInput)}`;
  const count = scope.repeats.get(key) ?? 0;
  if (count >= MAX_REPEATS) {
    return failure('DUPLICATE_CALL', {
      message: text('dispatch.repeated', { tool: call.toolName, count }),
      hint: text('dispatch.repeated-hint'),
    });
  }
  scope.repeats.set(key, count + 1);
  return next();
};
