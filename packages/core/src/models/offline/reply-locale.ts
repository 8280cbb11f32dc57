import type { Locale } from '../../contracts/locale.ts';

/** Language needs no more than the beginning to show. */
const READ_LENGTH = 10_000;

/**
 * The language to reply in: Chinese for a text with Han characters, English for one with other letters, else what is
 * set. A `/tool` command without Han characters shows nothing: names of tools and parameters are English everywhere.
 */
export function replyLocale(userText: string, otherwise: Locale): Locale {
  const beginning = userText.slice(0, READ_LENGTH);
  if (/\p{Script=Han}/u.test(beginning)) return 'zh';
  if (/^\s*[/／]tool\b/.test(beginning)) return otherwise;
  return /\p{Letter}/u.test(beginning) ? 'en' : otherwise;
}
