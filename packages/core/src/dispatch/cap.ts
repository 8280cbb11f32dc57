import type { Locale } from '../contracts/locale.ts';
import type { ContentPart, SuccessOutcome } from '../contracts/outcome.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import { isOutcome } from './is-outcome.ts';
import type { Step } from './step.ts';

/**
 * Cuts a result that is longer than the tool's `maxOutputChars`, at a character boundary, and says so. Of content parts
 * only the texts count, and only they are cut. What goes to code, not to a model, stays whole.
 */
export const cap: Step = async (progress, next) => {
  const outcome = await next();
  if (!isOutcome(outcome)) return outcome;
  const { scope, tool } = progress;
  const limit = tool?.limits.maxOutputChars;
  if (outcome.status === 'error' || limit === undefined || scope.callers.length > 0) return outcome;
  const { result } = outcome;
  if (result.kind === 'parts') return capParts(outcome, result.value, limit, scope.locale);
  const whole = result.kind === 'text' ? result.value : cheapLength(result.value, limit);
  if (whole === undefined || whole.length <= limit) return outcome;
  return {
    ...outcome,
    result: { kind: 'text', value: cut(whole, limit, whole.length, scope.locale) },
    truncated: { ofChars: whole.length },
  };
};

function capParts(
  outcome: SuccessOutcome,
  parts: readonly ContentPart[],
  limit: number,
  locale: Locale,
): SuccessOutcome {
  const total = parts.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0);
  if (total <= limit) return outcome;
  const kept: ContentPart[] = [];
  let left: number | undefined = limit;
  for (const part of parts) {
    if (part.type !== 'text') kept.push(part);
    else if (left !== undefined && part.text.length <= left) {
      kept.push(part);
      left -= part.text.length;
    } else if (left !== undefined) {
      // The text that goes beyond is cut, those behind it are left out.
      kept.push({ type: 'text', text: cut(part.text, left, total, locale, limit) });
      left = undefined;
    }
  }
  return { ...outcome, result: { kind: 'parts', value: kept }, truncated: { ofChars: total } };
}

/** `shown`: how many characters are shown in all, where `whole` is not all. */
function cut(whole: string, limit: number, total: number, locale: Locale, shown?: number): string {
  const lastUnit = whole.charCodeAt(limit - 1);
  const splitsPair = lastUnit >= 0xd800 && lastUnit <= 0xdbff;
  const end = splitsPair ? limit - 1 : limit;
  const note = renderText(text('dispatch.cut', { shown: (shown ?? limit) - (limit - end), total }), locale);
  return `${whole.slice(0, end)}\n${note}`;
}

/** The JSON text of a value, or `undefined` for small scalars, which need no look. */
function cheapLength(value: unknown, limit: number): string | undefined {
  if (value === null || (typeof value !== 'object' && limit >= 32)) return undefined;
  return JSON.stringify(value);
}
