import type { MessageKey } from '../message-key.ts';
import type { TextKey } from './all-texts.ts';

/**
 * Names a text of the catalogue.
 *
 * @example
 * text('plain', { text: 'no such city' })
 */
export function text(key: TextKey, values?: Readonly<Record<string, string | number | MessageKey>>): MessageKey {
  return values === undefined ? { key } : { key, values };
}
