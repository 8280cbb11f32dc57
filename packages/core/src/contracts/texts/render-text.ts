import type { Locale } from '../locale.ts';
import type { MessageKey } from '../message-key.ts';
import { allTexts } from './all-texts.ts';

const catalogue = new Map(Object.entries(allTexts));

/**
 * The text that a key stands for, in the reader's language, its gaps filled.
 * A key that the catalogue does not hold is shown as it is, so that nothing is ever lost.
 *
 * @example
 * renderText({ key: 'plain', values: { text: 'hello' } }, 'en') // 'hello'
 */
export function renderText(message: MessageKey, locale: Locale): string {
  const template = catalogue.get(message.key)?.[locale];
  if (template === undefined) return message.key;
  const values = new Map(Object.entries(message.values ?? {}));
  return template.replace(/\{([a-zA-Z]+)\}/g, (gap, name: string) => {
    const value = values.get(name);
    if (value === undefined) return gap;
    return typeof value === 'object' ? renderText(value, locale) : String(value);
  });
}
