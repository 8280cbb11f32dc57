import type { Locale } from '../contracts/locale.ts';
import type { AssistantMessage, Message, ToolMessage } from '../contracts/message.ts';
import type { ErrorOutcome } from '../contracts/outcome.ts';
import type { Store } from '../contracts/store.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import { describeDone } from './describe-done.ts';

/**
 * Ends the turns of a session whose process is gone, so that the history that a model sees stays whole: each call
 * gets its one result. Nothing is run again. A call that had started and may have changed the world is said to be of
 * unknown outcome; one that had not started is said to be just that.
 */
export async function settleAbandoned(
  store: Store,
  sessionKey: string,
  isRunning: (turnId: string) => boolean,
  now: number,
  locale: Locale,
): Promise<void> {
  for (const turn of await store.abandonedTurns(sessionKey, isRunning)) {
    const messages = await store.messages(turn.id);
    const started = await startedCalls(store, turn.id);
    const results = unanswered(messages).map(
      (call): ToolMessage => ({
        role: 'tool',
        turnId: turn.id,
        at: now,
        callId: call.id,
        providerCallId: call.providerCallId,
        toolName: call.toolName,
        outcome: lostOutcome(call.toolName, started.get(call.id)),
      }),
    );
    const done = describeDone([...messages, ...results], locale);
    const note: AssistantMessage = {
      role: 'assistant',
      turnId: turn.id,
      at: now,
      step: 0,
      parts: [{ type: 'text', text: renderText(text('agent.interrupted', { done }), locale) }],
      calls: [],
    };
    const entry = { kind: 'turn-end', at: now, body: { status: 'failed', reason: 'interrupted' } };
    try {
      // A direct call is no part of the conversation; what it came to stands in its record.
      await store.endTurn(turn.id, 'failed', now, messages.length === 0 ? [] : [...results, note], [entry]);
    } catch (error) {
      // Another process may have settled the same turn at the same moment; then there is nothing left to do.
      const current = await store.turn(turn.id);
      if (current === undefined || current.status === 'running') throw error;
    }
  }
}

/** Started calls of a turn by id, with whether their tool only reads. */
async function startedCalls(
  store: Store,
  turnId: string,
): Promise<ReadonlyMap<string, { readonly readOnly: boolean }>> {
  const started = new Map<string, { readonly readOnly: boolean }>();
  for (const entry of await store.record(turnId)) {
    if (entry.kind !== 'call-start') continue;
    const body = entry.body as { readonly callId: string; readonly readOnly: boolean };
    started.set(body.callId, { readOnly: body.readOnly });
  }
  return started;
}

function unanswered(messages: readonly Message[]): AssistantMessage['calls'] {
  const answered = new Set<string>();
  for (const message of messages) if (message.role === 'tool') answered.add(message.callId);
  return messages.flatMap((message) =>
    message.role === 'assistant' ? message.calls.filter((call) => !answered.has(call.id)) : [],
  );
}

function lostOutcome(tool: string, started: { readonly readOnly: boolean } | undefined): ErrorOutcome {
  const base = { status: 'error', retryable: false, durationMs: 0 } as const;
  if (started === undefined) {
    return {
      ...base,
      effect: 'none',
      code: 'CANCELLED',
      message: text('agent.call-not-started', { tool }),
      hint: text('agent.call-again'),
    };
  }
  return {
    ...base,
    effect: started.readOnly ? 'none' : 'unknown',
    code: 'OUTCOME_UNKNOWN',
    message: text('agent.call-fate-unknown', { tool }),
    hint: text(started.readOnly ? 'agent.call-again' : 'dispatch.may-have-happened'),
  };
}
