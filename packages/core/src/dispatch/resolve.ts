import { isOfferedToModels } from '../contracts/is-offered-to-models.ts';
import { nearestNames } from '../contracts/nearest-names.ts';
import { text } from '../contracts/texts/text.ts';
import { failure } from './failure.ts';
import type { Step } from './step.ts';

const SHOWN_LENGTH = 80;

/**
 * Finds the tool. One that does not exist, is not admitted, or is hidden from models or private takes the same path and
 * gives the same answer, so that nobody can find out by guessing. Code may call hidden and private ones, those by their
 * key where another one bears their name. Suggestions come from what is admitted and offered to models only.
 */
export const resolve: Step = async (progress, next) => {
  const { call, scope } = progress;
  const tool = scope.table.get(call.toolName);
  if (tool !== undefined && scope.admitted.has(tool) && (scope.byCode || isOfferedToModels(tool))) {
    progress.tool = tool;
    return next();
  }
  const visible = scope.table.tools
    .filter((one) => isOfferedToModels(one) && scope.admitted.has(one))
    .map((one) => one.name);
  const names = nearestNames(call.toolName, visible, 3);
  return failure('UNKNOWN_TOOL', {
    message: text('dispatch.unknown-tool', { tool: call.toolName.slice(0, SHOWN_LENGTH) }),
    hint:
      names.length === 0
        ? text('dispatch.unknown-tool-hint')
        : text('dispatch.unknown-tool-near', { names: names.join(', ') }),
  });
};
