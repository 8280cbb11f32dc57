import type { Message } from '../contracts/message.ts';
import type { MessageKey } from '../contracts/message-key.ts';
import { text } from '../contracts/texts/text.ts';

const SAID = { done: 'agent.done-so-far', unknown: 'agent.done-perhaps', none: 'agent.done-not' } as const;

/** What the calls of a turn came to, by their effect on the world: for a turn that ends without an answer. */
export function describeDone(messages: readonly Message[]): MessageKey {
  const calls: Record<keyof typeof SAID, string[]> = { done: [], unknown: [], none: [] };
  for (const message of messages) {
    if (message.role !== 'tool') continue;
    const { outcome, toolName } = message;
    if (outcome.status === 'success') calls.done.push(toolName);
    else calls[outcome.effect].push(`${toolName} (${outcome.code})`);
  }
  const [first, ...others] = (['done', 'unknown', 'none'] as const)
    .filter((effect) => calls[effect].length > 0)
    .map((effect) => text(SAID[effect], { calls: calls[effect].join(', ') }));
  if (first === undefined) return text('agent.done-nothing');
  return others.reduce((before, next) => text('agent.done-both', { first: before, second: next }), first);
}
