import type { Outcome } from '../contracts/outcome.ts';
import type { StoredCall } from '../contracts/stored-turn.ts';
import { text } from '../contracts/texts/text.ts';
import { failure } from './failure.ts';
import type { CallProgress, Step } from './step.ts';

/**
 * Goes on where an earlier process left the call. What had ended is not run again; what was decided is not parsed,
 * validated or counted again; what had started is judged once its tool is known (`rejoin`).
 */
export const recall: Step = async (progress, next) => {
  const { call, scope } = progress;
  const stored = scope.ledger.find(call.id);
  if (stored === undefined || stored.state === 'proposed') return next();
  if (stored.state === 'ended') return endedBefore(progress, stored);
  progress.stored = stored;
  if (stored.state === 'started') progress.isRerun = true;
  // A call that code makes is held against what that code asks for now, so its own input is read first.
  if (scope.callers.length === 0 && stored.input !== undefined) progress.input = stored.input;
  const end = await next();
  // Whatever kept a started call from being run again (its tool is gone, changed, not admitted any more): it had started.
  if (progress.isRerun === true && !progress.started && end !== 'parked' && end !== 'again') {
    return lost(progress, stored);
  }
  return end;
};

/** The one outcome that it had; where that is kept nowhere but in a message, nobody asks for it here. */
function endedBefore({ call }: CallProgress, stored: StoredCall): Outcome {
  if (stored.outcome !== undefined) return stored.outcome;
  throw new Error(`call ${call.id} has ended, and its outcome stands in a message`);
}

/** Nobody knows how far it came, unless it only reads. */
export function lost({ call }: CallProgress, stored: StoredCall): Outcome {
  const harmless = stored.readOnly === true;
  return failure('OUTCOME_UNKNOWN', {
    message: text('dispatch.fate-unknown', { tool: call.toolName }),
    hint: text(harmless ? 'dispatch.call-again' : 'dispatch.may-have-happened'),
    effect: harmless ? 'none' : 'unknown',
  });
}
