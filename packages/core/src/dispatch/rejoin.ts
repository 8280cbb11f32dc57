import { text } from '../contracts/texts/text.ts';
import { canonicalOrRaw } from './canonical-or-raw.ts';
import { failure } from './failure.ts';
import { mayRunAgain } from './may-run-again.ts';
import { lost } from './recall.ts';
import type { Step } from './step.ts';

/**
 * Holds a stored call against the world as it is now: a tool that is not the one that was decided on does not run, a
 * started call runs again only where that does no more than once, and code that runs again must ask for the same.
 */
export const rejoin: Step = async (progress, next) => {
  const { call, scope, tool, stored, input = {} } = progress;
  if (stored === undefined || tool === undefined) return next();
  if (scope.callers.length > 0) {
    const same =
      stored.toolKey === tool.key &&
      stored.argumentsDigest === scope.ledger.argumentsDigest(canonicalOrRaw(input, call.rawInput));
    if (!same) {
      return failure('NOT_PERMITTED', {
        message: text('dispatch.invoke-differs', { tool: call.toolName }),
        hint: text('dispatch.invoke-hint'),
      });
    }
  }
  const changed = stored.definitionDigest !== tool.definitionDigest;
  if (progress.isRerun === true) {
    if (changed || !mayRunAgain(tool)) return lost(progress, stored);
    return next();
  }
  if (changed) {
    return failure('DEFINITION_CHANGED', {
      message: text('dispatch.definition-changed', { tool: call.toolName }),
      hint: text('dispatch.definition-changed-hint'),
    });
  }
  return next();
};
