import type { Locale } from '../contracts/locale.ts';
import type { MessageKey } from '../contracts/message-key.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import type { PlainJson } from './plain-json.ts';

/** Names the place at which a value is not JSON, and what stands there. */
export function notJsonText(
  key: 'execution.result-not-json' | 'execution.session-not-json' | 'execution.arguments-not-json',
  fault: Extract<PlainJson, { readonly ok: false }>,
  locale: Locale,
  values: Readonly<Record<string, string>> = {},
): MessageKey {
  const where = fault.pointer === '' ? renderText(text('execution.top'), locale) : fault.pointer.slice(0, 200);
  return text(key, { ...values, where, found: renderText(fault.found, locale) });
}
