import type { Locale } from '../contracts/locale.ts';
import type { MessageKey } from '../contracts/message-key.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import type { SchemaFault } from './json-schema-validator.ts';
import { shortened } from './shortened.ts';

const DESCRIBED_AT_MOST = 20;
const LONGEST_DIGITS = 100;

/** Found by the JSON Schema, or said by the tool's own validator. */
export type Fault = SchemaFault | { readonly pointer: string; readonly reason: string };

/**
 * One sentence part per fault, in the reader's language. A number that was too large shows its exact digits. `whole` is
 * what was checked: the arguments, or the result.
 */
export function describeFaults(
  faults: readonly Fault[],
  inexact: ReadonlyMap<string, string>,
  locale: Locale,
  whole: MessageKey = text('dispatch.whole'),
): string {
  const parts = faults.slice(0, DESCRIBED_AT_MOST).map((fault) => {
    const where = fault.pointer === '' ? renderText(whole, locale) : shortened(fault.pointer);
    return renderText(describe(where, fault, inexact, locale), locale);
  });
  const more = faults.length - parts.length;
  if (more > 0) parts.push(renderText(text('dispatch.more-faults', { count: more }), locale));
  return parts.join(locale === 'zh' ? '；' : '; ');
}

function describe(where: string, fault: Fault, inexact: ReadonlyMap<string, string>, locale: Locale): MessageKey {
  if ('reason' in fault && inexact.has(fault.pointer)) {
    const digits = inexact.get(fault.pointer)?.slice(0, LONGEST_DIGITS) ?? '';
    return text('dispatch.fault-inexact', { where, expected: shortened(fault.reason), digits });
  }
  if ('reason' in fault) return text('dispatch.fault-own', { where, reason: shortened(fault.reason) });
  const expected = shortened(renderText(fault.expected, locale));
  const digits = inexact.get(fault.pointer)?.slice(0, LONGEST_DIGITS);
  if (digits !== undefined) return text('dispatch.fault-inexact', { where, expected, digits });
  // A whole is never nothing: then it was not looked at to its end.
  if (fault.pointer === '' && fault.found === '') return text('dispatch.fault-whole', { where, expected });
  const found = fault.found === '' ? renderText(text('dispatch.nothing'), locale) : fault.found;
  return text('dispatch.fault', { where, expected, found });
}
