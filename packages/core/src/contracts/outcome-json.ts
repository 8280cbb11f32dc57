import type { Json, JsonObject } from './json.ts';
import type { Locale } from './locale.ts';
import type { Outcome } from './outcome.ts';
import { renderText } from './texts/render-text.ts';

/**
 * An outcome as models and JSON output see it: the code is called `error_type`, texts are in the reader's language.
 *
 * @example
 * outcomeJson(outcome, 'zh') // { status: 'error', error_type: 'TIMEOUT', message: '…', hint: '…', … }
 */
export function outcomeJson(outcome: Outcome, locale: Locale): JsonObject {
  if (outcome.status === 'success') {
    const { effect, durationMs, truncated } = outcome;
    return {
      status: 'success',
      result: outcome.result.value,
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
