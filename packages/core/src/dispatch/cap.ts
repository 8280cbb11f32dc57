import type { Locale } from '../contracts/locale.ts';
import type { Outcome, SuccessOutcome } from '../contracts/outcome.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import type { Step } from './step.ts';

/** Cuts a result that is longer than the tool's `maxOutputChars`, at a character boundary, and says so. */
export const cap: Step = async (progress, next) => {
  const outcome = await next();
  const limit = progress.tool?.limits.maxOutputChars;
  if (outcome.status === 'error' || limit === undefined) return outcome;
  const { result } = outcome;
  const whole = result.kind === 'text' ? result.value : cheapLength(result.value, limit);
  if (whole === undefined || whole.length <= limit) return outcome;
  const cutOutcome: SuccessOutcome = {
    ...outcome,
    result: { kind: 'text', value: cut(whole, limit, progress.scope.locale) },
    truncated: { ofChars: whole.length },
  };
  return cutOutcome satisfies Outcome;
};

function cut(whole: string, limit: number, locale: Locale): string {
  const lastUnit = whole.charCodeAt(limit - 1);
  const splitsPair = lastUnit >= 0xd800 && lastUnit <= 0xdbff;
  const shown = splitsPair ? limit - 1 : limit;
  const note = renderText(text('dispatch.cut', { shown, total: whole.length }), locale);
  return `${whole.slice(0, shown)}\n${note}`;
}

/** The JSON text of a value, or `undefined` for small scalars, which need no look. */
function cheapLength(value: unknown, limit: number): string | undefined {
  if (value === null || (typeof value !== 'object' && limit >= 32)) return undefined;
  return JSON.stringify(value);
}
