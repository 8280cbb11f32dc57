import type { Locale } from '../contracts/locale.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import type { FailedEnd } from './failed-end.ts';

/** Why a call is ended from outside. */
export type StopReason = 'timeout' | 'cancel';

/**
 * Had the tool's code begun? `unclear`: nothing was heard of it, from a process that had run other code before, which
 * may have blocked it or kept it from saying so.
 */
export type Beginning = 'begun' | 'not-begun' | 'unclear';

/** Milliseconds that a tool's module may take to load when a call is the first to need it. */
export const LOAD_LIMIT_MS = 10_000;

/** The end of a call that was stopped. Only code that had begun can have reached its own time limit. */
export function endedEarly(reason: StopReason, beginning: Beginning, limitMs: number, locale: Locale): FailedEnd {
  const effect = beginning === 'not-begun' ? ({ effect: 'none' } as const) : {};
  if (reason === 'cancel') {
    return { ok: false, code: 'CANCELLED', message: renderText(text('execution.cancelled'), locale), ...effect };
  }
  if (beginning === 'begun') {
    return { ok: false, code: 'TIMEOUT', message: renderText(text('execution.timed-out', { limitMs }), locale) };
  }
  const key = beginning === 'not-begun' ? 'execution.load-timed-out' : 'execution.never-began';
  const message = renderText(text(key, { limitMs: LOAD_LIMIT_MS }), locale);
  return { ok: false, code: 'EXECUTION_ERROR', message, ...effect };
}

/** What `context.signal.reason` is. */
export function abortReason(reason: StopReason): DOMException {
  return reason === 'timeout'
    ? new DOMException('the call reached its time limit', 'TimeoutError')
    : new DOMException('the call was cancelled', 'AbortError');
}
