import type { Locale } from '../contracts/locale.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import type { FailedEnd } from './failed-end.ts';

/** The end of a call whose tool refers to code that this executor was never given: a fault of the runtime. */
export function unknownCode(locale: Locale): FailedEnd {
  return { ok: false, code: 'INTERNAL', message: renderText(text('execution.unknown-code'), locale), effect: 'none' };
}
