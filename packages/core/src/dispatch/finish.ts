import { text } from '../contracts/texts/text.ts';
import { StoreError } from '../store/store-error.ts';
import { failure } from './failure.ts';
import { isOutcome } from './is-outcome.ts';
import type { CallProgress, Step } from './step.ts';

/**
 * The outermost layer: every call ends in exactly one outcome, with its duration, whatever happens below. A fault of
 * ours is told as such, without its insides, which go to the record. Only where the turn is another process's by now,
 * nothing may be said any more, and the error goes up.
 */
export const finish: Step = async (progress, next) => {
  const { scope } = progress;
  const startedAt = performance.now();
  const end = await next().catch((error: unknown) => {
    if (StoreError.isInstance(error) && error.code === 'LEASE_LOST') throw error;
    return internal(progress, error);
  });
  if (!isOutcome(end)) return end;
  const worked = performance.now() - startedAt - progress.waitedMs;
  return { ...end, durationMs: Math.max(0, Math.round(worked * 1000) / 1000) };

  function internal({ call, started, tool }: CallProgress, error: unknown) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    // The record may be what failed; the call must end all the same.
    scope.record({ kind: 'call-stack', at: scope.now(), body: { callId: call.id, stack } }, false).catch(() => {});
    const unknown = started && tool?.trustedHints.readOnly !== true;
    return failure('INTERNAL', {
      message: text('dispatch.internal', { tool: call.toolName }),
      hint: text(unknown ? 'dispatch.may-have-happened' : 'dispatch.internal-hint'),
      effect: unknown ? 'unknown' : 'none',
    });
  }
};
