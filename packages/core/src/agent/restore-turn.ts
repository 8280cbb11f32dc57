import type { CallId } from '../contracts/call.ts';
import type { AssistantMessage, Message } from '../contracts/message.ts';
import type { Usage } from '../contracts/usage.ts';

const NO_USAGE: Usage = Object.freeze({ inputTokens: 0, outputTokens: 0, cachedTokens: 0 });

/** How far a turn has come, as its stored messages say. */
export interface TurnProgress {
  /** Model requests that were answered. */
  readonly step: number;
  readonly usage: Usage;
  /** What the model said in each step. */
  readonly said: readonly string[];
  /** Calls of the last answer that have no result yet. */
  readonly pending: AssistantMessage['calls'];
}

/**
 * Reads the progress of a turn from its messages: what any process knows of it.
 *
 * @example
 * const { step, pending } = restoreTurn(await store.messages(turnId));
 */
export function restoreTurn(messages: readonly Message[]): TurnProgress {
  const answered = new Set<CallId>();
  for (const message of messages) if (message.role === 'tool') answered.add(message.callId);
  const said: string[] = [];
  let step = 0;
  let usage = NO_USAGE;
  let pending: AssistantMessage['calls'] = [];
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    step = Math.max(step, message.step);
    usage = addUsage(usage, message.usage ?? NO_USAGE);
    const text = spokenText(message);
    // A note of ours (cancelled, interrupted …) is no request and nothing that the model said.
    if (text !== '' && message.usage !== undefined) said.push(text);
    pending = message.calls.filter((call) => !answered.has(call.id));
  }
  return { step, usage, said, pending };
}

/** The text parts of an answer together. */
export function spokenText({ parts }: AssistantMessage): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

export function addUsage(left: Usage, right: Usage): Usage {
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    cachedTokens: left.cachedTokens + right.cachedTokens,
  };
}
