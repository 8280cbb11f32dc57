import type { Locale } from '../contracts/locale.ts';
import type { Store } from '../contracts/store.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';

/** Turns that a note names. */
const SHOWN = 5;

/**
 * What a later turn of the session sees of those that wait: their messages are not part of the talk yet. Empty where
 * none does.
 */
export async function parkedNote(store: Store, sessionKey: string, turnId: string, locale: Locale): Promise<string> {
  const open = await store.openTurns({ sessionKey });
  const parked = open.filter(({ id, status }) => status === 'parked' && id !== turnId);
  if (parked.length === 0) return '';
  const lines: string[] = [];
  for (const { id } of parked.slice(0, SHOWN)) {
    const asks = await store.asks({ turnId: id, states: ['open'] });
    for (const { kind, code, card } of asks) {
      const key = kind === 'approval' ? 'agent.waits-for-approval' : 'agent.waits-for-answer';
      lines.push(renderText(text(key, { tool: card.tool, code }), locale));
    }
  }
  const note = renderText(text('agent.parked-note', { count: parked.length }), locale);
  return [note, ...lines.map((line) => `- ${line}`)].join('\n');
}
