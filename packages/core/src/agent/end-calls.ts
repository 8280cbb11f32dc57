import type { AssistantMessage, ToolMessage } from '../contracts/message.ts';
import type { ErrorOutcome } from '../contracts/outcome.ts';
import type { StoredCall } from '../contracts/stored-turn.ts';
import { text } from '../contracts/texts/text.ts';

/**
 * Results for calls of a turn that ends without having brought them to an end: each call has exactly one. One that had
 * started and may have changed the world is said to be of unknown outcome; one that had not is said to be just that.
 */
export function endCalls(
  calls: AssistantMessage['calls'],
  find: (id: AssistantMessage['calls'][number]['id']) => StoredCall | undefined,
  turnId: string,
  at: number,
): readonly ToolMessage[] {
  return calls.map(({ id, providerCallId, toolName }) => ({
    role: 'tool',
    turnId,
    at,
    callId: id,
    providerCallId,
    toolName,
    outcome: unendedOutcome(toolName, find(id)),
  }));
}

export function unendedOutcome(tool: string, stored: StoredCall | undefined): ErrorOutcome {
  const base = { status: 'error', retryable: false, durationMs: 0 } as const;
  if (stored?.state !== 'started') {
    return {
      ...base,
      effect: 'none',
      code: 'CANCELLED',
      message: text('agent.call-not-started', { tool }),
      hint: text('agent.call-again'),
    };
  }
  const harmless = stored.readOnly === true;
  return {
    ...base,
    effect: harmless ? 'none' : 'unknown',
    code: 'OUTCOME_UNKNOWN',
    message: text('agent.call-fate-unknown', { tool }),
    hint: text(harmless ? 'agent.call-again' : 'dispatch.may-have-happened'),
  };
}
