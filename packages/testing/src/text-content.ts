import { recordsIn } from './json-value.ts';

/** The text of a message's content: the string itself, or its text parts joined by line breaks. */
export function textContent(content: unknown): string {
  if (typeof content === 'string') return content;
  return recordsIn(content)
    .filter((part) => part.type === 'text' && typeof part.text === 'string')
    .map((part) => part.text)
    .join('\n');
}
