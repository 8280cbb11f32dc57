import { type Locale, type Reply, renderText } from 'baigong';
import { escapeControls } from '../terminal/escape-controls.ts';

/** A reply that comes later than its message, for people: what the model said, or why it said nothing. */
export function showReply({ text, error }: Reply, locale: Locale, isTerminal: boolean): string {
  const parts = [text, error === undefined ? '' : renderText(error.message, locale)].filter((part) => part !== '');
  const whole = parts.join('\n');
  return `${isTerminal ? escapeControls(whole) : whole}\n`;
}
