import type { Locale } from '../contracts/locale.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import type { FailedEnd } from './failed-end.ts';

/** Why a call is ended from outside. */
export type StopReason = 'timeout' | 'cancel';

/** Milliseconds that a tool's module may take to load when a call is the first to need it. */
export const LOAD_LIMIT_MS = 10_000;

/** The end of a call that was stopped; `begun`: had the tool's code begun? */
export function endedEarly(reason: StopReason, begun: boolean, limitMs: number, locale: Locale): FailedEnd {
  const effect = begun ? {} : ({ effect: 'none' } as const);
  if (reason === 'cancel') {
    return { ok: false, code: 'CANCELLED', message: renderText(text('execution.cancelled'), locale), ...effect };
  }
  const message = begun
    ? text('execution.timed-out', { limitMs })
    : text('execution.load-timed-out', { limitMs: LOAD_LIMIT_MS });
  return { ok: false, code: 'TIMEOUT', message: renderText(message, locale), ...effect };
}

/** What `context.signal.reason` is. */
export function abortReason(reason: StopReason): DOMException {
  return reason === 'timeout'
    ? new DOMException('the call reached its time limit', 'TimeoutError')
    : new DOMException('the call was cancelled', 'AbortError');
}
