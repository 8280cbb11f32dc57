import type { HistoryMessage } from '../contracts/history-message.ts';
import type { Locale } from '../contracts/locale.ts';
import type { Message } from '../contracts/message.ts';
import type { Outcome } from '../contracts/outcome.ts';
import { partLabel } from '../contracts/part-label.ts';
import { renderText } from '../contracts/texts/render-text.ts';

const HISTORY_CHARS = 200_000;

/**
 * Messages as code sees them that looks back: the newest `limit` that fit into 200,000 characters, oldest first. What
 * the model only thought, and steps in which it said nothing, are left out. A newest message that is longer by itself is
 * cut.
 */
export function historyView(messages: readonly Message[], limit: number, locale: Locale): readonly HistoryMessage[] {
  const seen: HistoryMessage[] = [];
  let left = HISTORY_CHARS;
  for (let index = messages.length - 1; index >= 0 && seen.length < limit; index--) {
    const message = messages[index];
    const view = message === undefined ? undefined : viewOf(message, locale);
    if (view === undefined) continue;
    if (view.text.length > left) {
      if (seen.length === 0) seen.push({ ...view, text: `${view.text.slice(0, left - 1).toWellFormed()}…` });
      break;
    }
    left -= view.text.length;
    seen.push(view);
  }
  return seen.reverse();
}

function viewOf(message: Message, locale: Locale): HistoryMessage | undefined {
  const { role, turnId, at } = message;
  switch (message.role) {
    case 'user':
      return { role, text: message.text, at, turnId };
    case 'assistant': {
      const said = message.parts.filter((part) => part.type === 'text').map((part) => part.text);
      const text = said.join('');
      return text === '' ? undefined : { role, text, at, turnId };
    }
    case 'tool':
      return { role, text: textOf(message.outcome, locale), at, turnId, toolName: message.toolName };
  }
}

function textOf(outcome: Outcome, locale: Locale): string {
  if (outcome.status === 'error') return `${outcome.code}: ${renderText(outcome.message, locale)}`;
  const { result } = outcome;
  if (result.kind === 'text') return result.value;
  if (result.kind === 'json') return JSON.stringify(result.value);
  return result.value.map((part) => (part.type === 'text' ? part.text : `[${partLabel(part)}]`)).join('\n');
}
