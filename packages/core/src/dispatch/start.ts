import { text } from '../contracts/texts/text.ts';
import { failure } from './failure.ts';
import type { Step } from './step.ts';

/**
 * The last moment at which nothing has happened. From here on the call counts as started, and for a tool that may
 * change the world that fact is on disk before its code is told: whoever finds the record later knows that it may
 * have happened.
 */
export const start: Step = async (progress, next) => {
  const { call, scope, tool, input = {} } = progress;
  if (scope.signal.aborted) {
    return failure('CANCELLED', {
      message: text('dispatch.cancelled', { tool: call.toolName }),
      hint: text('dispatch.cancelled-hint'),
    });
  }
  const readOnly = tool?.trustedHints.readOnly === true;
  const definition = tool?.definitionDigest ?? '';
  const body = { callId: call.id, tool: call.toolName, definition, readOnly, input };
  const durable = !readOnly;
  const written = scope.record({ kind: 'call-start', at: scope.now(), body }, durable);
  if (durable) await written;
  progress.started = true;
  return next();
};
