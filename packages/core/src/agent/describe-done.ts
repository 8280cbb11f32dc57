import type { Locale } from '../contracts/locale.ts';
import type { Message } from '../contracts/message.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';

/** What the calls of a turn came to, in one sentence: for a turn that ends without an answer. */
export function describeDone(messages: readonly Message[], locale: Locale): string {
  const calls: string[] = [];
  for (const message of messages) {
    if (message.role !== 'tool') continue;
    const { outcome } = message;
    calls.push(`${message.toolName} (${outcome.status === 'success' ? 'ok' : outcome.code})`);
  }
  return calls.length === 0
    ? renderText(text('agent.done-nothing'), locale)
    : renderText(text('agent.done-so-far', { calls: calls.join(', ') }), locale);
}
