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
  { call, scope }: CallProgress,
): ErrorOutcome {
  if (end.stack !== undefined) {
    void scope.record({ kind: 'call-stack', at: scope.now(), body: { callId: call.id, stack: end.stack } }, false);
  }
  const effect = end.effect ?? effectOf(tool, end);
  const { message, hint } = explain(tool, end, effect);
  return failure(end.code, { message, hint, effect, retryable: end.retryable === true && effect !== 'unknown' });
}

/** A tool that only reads leaves nothing behind; of any other, whatever ended it, nobody knows how far it came. */
function effectOf(tool: ToolCapability, end: ExecutorEnd & { readonly ok: false }): Effect {
  if (tool.trustedHints.readOnly) return 'none';
  return end.code === 'INVALID_RESULT' ? 'done' : 'unknown';
}

function explain(
  tool: ToolCapability,
  end: ExecutorEnd & { readonly ok: false },
  effect: Effect,
): { message: MessageKey; hint: MessageKey } {
  const own = end.hint === undefined ? undefined : text('plain', { text: end.hint });
  const unsure = effect === 'unknown' ? text('dispatch.may-have-happened') : undefined;
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
        message: text('dispatch.invalid-result', { tool: tool.name, reason: end.message }),
        hint: text('dispatch.invalid-result-hint'),
      };
    case 'INVALID_ARGUMENTS':
      return { message: text('plain', { text: end.message }), hint: own ?? text('dispatch.input-hint') };
    case 'UPSTREAM_UNAVAILABLE':
      return { message: text('plain', { text: end.message }), hint: own ?? unsure ?? text('dispatch.upstream-hint') };
    default:
      return {
        message: text('dispatch.execution-error', { tool: tool.name, reason: end.message }),
        hint: own ?? unsure ?? text('dispatch.execution-error-hint'),
      };
  }
}
