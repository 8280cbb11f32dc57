import type { ToolCapability } from '../contracts/capability.ts';
import type { ExecutorEnd } from '../contracts/executor.ts';
import type { MessageKey } from '../contracts/message-key.ts';
import type { Effect, ErrorOutcome } from '../contracts/outcome.ts';
import { text } from '../contracts/texts/text.ts';
import { failure } from './failure.ts';
import type { CallProgress } from './step.ts';

/** What an executor's failure means to a model: what happened, how far it may have come, what to do. */
export function failedOutcome(
  tool: ToolCapability,
  end: ExecutorEnd & { readonly ok: false },
  { call, scope, nestedEffect = 'none' }: CallProgress,
): ErrorOutcome {
  if (end.stack !== undefined) {
    void scope.record({ kind: 'call-stack', at: scope.now(), body: { callId: call.id, stack: end.stack } }, false);
  }
  const effect = end.effect ?? effectOf(tool, end, nestedEffect);
  const { message, hint } = explain(tool, end, effect);
  return failure(end.code, { message, hint, effect, retryable: retryableOf(end, effect) });
}

/** What the author said stays as it is; else what passes by itself may be tried again where nothing can have happened. */
function retryableOf(end: ExecutorEnd & { readonly ok: false }, effect: Effect): boolean {
  if (isAuthored(end)) return end.retryable === true;
  const passes = end.retryable === true || end.code === 'UPSTREAM_UNAVAILABLE' || end.code === 'RATE_LIMITED';
  return passes && effect !== 'unknown';
}

/** The executor says `retryable` of what it ended itself only together with `effect`; all others are the author's. */
function isAuthored(end: ExecutorEnd & { readonly ok: false }): boolean {
  return end.retryable !== undefined && end.effect === undefined;
}

/**
 * A tool that only reads leaves nothing behind, but what the calls did that it made; of any other, whatever ended it,
 * nobody knows how far it came.
 */
function effectOf(tool: ToolCapability, end: ExecutorEnd & { readonly ok: false }, nested: Effect): Effect {
  if (tool.trustedHints.readOnly) return nested;
  return end.code === 'INVALID_RESULT' && nested !== 'unknown' ? 'done' : 'unknown';
}

function explain(
  tool: ToolCapability,
  end: ExecutorEnd & { readonly ok: false },
  effect: Effect,
): { message: MessageKey; hint: MessageKey } {
  const own = end.hint === undefined ? undefined : text('plain', { text: end.hint });
  const unsure = effect === 'unknown' ? text('dispatch.may-have-happened') : undefined;
  const said = text('plain', { text: end.message });
  const otherwise = (fallback: Parameters<typeof text>[0]) => own ?? unsure ?? text(fallback);
  switch (end.code) {
    case 'TIMEOUT':
      return {
        message: text('dispatch.timeout', { tool: tool.name, limitMs: tool.limits.timeoutMs }),
        hint: unsure ?? text('dispatch.timeout-hint'),
      };
    case 'CANCELLED':
      return {
        message: text('dispatch.cancelled', { tool: tool.name }),
        hint: unsure ?? text('dispatch.cancelled-hint'),
      };
    case 'INVALID_RESULT':
      return {
        message: isAuthored(end) ? said : text('dispatch.invalid-result', { tool: tool.name, reason: end.message }),
        hint: own ?? text('dispatch.invalid-result-hint'),
      };
    case 'INVALID_ARGUMENTS':
      return { message: said, hint: own ?? text('dispatch.input-hint') };
    case 'UPSTREAM_UNAVAILABLE':
      return { message: said, hint: otherwise('dispatch.upstream-hint') };
    case 'ACCESS_DENIED':
      return { message: said, hint: own ?? text('dispatch.access-denied-hint') };
    case 'NOT_PERMITTED':
      return { message: said, hint: own ?? text('dispatch.not-permitted-hint') };
    case 'RATE_LIMITED':
      return { message: said, hint: otherwise('dispatch.rate-limited-hint') };
    default:
      return {
        message: isAuthored(end) ? said : text('dispatch.execution-error', { tool: tool.name, reason: end.message }),
        hint: otherwise('dispatch.execution-error-hint'),
      };
  }
}
