import { text } from '../contracts/texts/text.ts';
import { failure } from './failure.ts';
import type { Step } from './step.ts';

/**
 * A call that needs a person is refused: this version has no way to ask one, and running it unasked would be wrong.
 * `never` and `on-risk` run.
 */
export const requirePerson: Step = async (progress, next) => {
  const { tool, call } = progress;
  if (tool === undefined || tool.dangerous || (tool.approval !== 'never' && tool.approval !== 'on-risk')) {
    return failure('NEEDS_HUMAN', {
      message: text('dispatch.needs-human', { tool: call.toolName }),
      hint: text('dispatch.needs-human-hint'),
    });
  }
  return next();
};
