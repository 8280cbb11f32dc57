import type { Locale } from '../contracts/locale.ts';
import type { Message } from '../contracts/message.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';

const SAID = { done: 'agent.done-so-far', unknown: 'agent.done-perhaps', none: 'agent.done-not' } as const;

/** What the calls of a turn came to, by their effect on the world: for a turn that ends without an answer. */
export function describeDone(messages: readonly Message[], locale: Locale): string {
  const calls: Record<keyof typeof SAID, string[]> = { done: [], unknown: [], none: [] };
  for (const message of messages) {
    if (message.role !== 'tool') continue;
    const { outcome, toolName } = message;
    if (outcome.status === 'success') calls.done.push(toolName);
    else calls[outcome.effect].push(`${toolName} (${outcome.code})`);
  }
  const said = Object.entries(SAID)
    .map(([effect, key]) => [key, calls[effect as keyof typeof SAID]] as const)
    .filter(([, those]) => those.length > 0)
    .map(([key, those]) => renderText(text(key, { calls: those.join(', ') }), locale));
  if (said.length === 0) return renderText(text('agent.done-nothing'), locale);
  return said.join(locale === 'zh' ? '' : ' ');
}
