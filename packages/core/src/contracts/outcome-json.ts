import type { Json, JsonObject } from './json.ts';
import type { Locale } from './locale.ts';
import type { Outcome } from './outcome.ts';
import { renderText } from './texts/render-text.ts';
import { withoutData } from './without-data.ts';

/**
 * An outcome as JSON output shows it: the code is called `error_type`, texts are in the reader's language. Of images and
 * files there is the number of bytes (`bytes`) in place of their data; whoever wants that reads the outcome itself.
 *
 * @example
 * outcomeJson(outcome, 'zh') // { status: 'error', error_type: 'TIMEOUT', message: '…', hint: '…', … }
 */
export function outcomeJson(outcome: Outcome, locale: Locale): JsonObject {
  if (outcome.status === 'success') {
    const { effect, durationMs, truncated } = outcome;
    return {
      status: 'success',
      result: outcome.result.kind === 'parts' ? withoutData(outcome.result.value) : outcome.result.value,
      effect,
      durationMs,
      ...(truncated === undefined ? {} : { truncated: { ...truncated } }),
      ...(outcome.warnings.length === 0 ? {} : { warnings: outcome.warnings.map((one) => renderText(one, locale)) }),
    };
  }
  return { ...errorJson(outcome, locale), durationMs: outcome.durationMs };
}

/** An error outcome without what only people care for. */
export function errorJson(outcome: Outcome & { readonly status: 'error' }, locale: Locale): { [key: string]: Json } {
  const { code, message, hint, retryable, effect, details } = outcome;
  return {
    status: 'error',
    error_type: code,
    message: renderText(message, locale),
    hint: renderText(hint, locale),
    retryable,
    effect,
    ...(details === undefined ? {} : { details }),
  };
}
