import type { Reply } from 'baigong';
import { escapeControls } from '../terminal/escape-controls.ts';

/** A reply that comes later than its message, for people: what the model said, or why it said nothing. */
export function showReply({ text }: Reply, isTerminal: boolean): string {
  return `${isTerminal ? escapeControls(text) : text}\n`;
}
