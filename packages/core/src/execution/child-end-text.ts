import type { Locale } from '../contracts/locale.ts';
import type { MessageKey } from '../contracts/message-key.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import { CHILD_HEAP_MB, type ChildEnd } from './child.ts';

/**
 * What a child's end means, for people and models: no paths, no insides. `hadCalls`: other calls had run in it before,
 * which may be to blame.
 */
export function childEndText(end: ChildEnd, hadCalls: boolean, locale: Locale): string {
  const what = renderText(whatHappened(end), locale);
  return hadCalls ? renderText(text('execution.maybe-earlier', { what }), locale) : what;
}

function whatHappened(end: ChildEnd): MessageKey {
  if (end.startError?.isShortage === true) return text('execution.process-shortage', { code: end.startError.code });
  if (end.startError !== undefined) return text('execution.process-not-started');
  if (end.fault !== undefined) return text('execution.pipe-misused');
  if (end.outOfMemory) return text('execution.out-of-memory', { limitMb: CHILD_HEAP_MB });
  if (end.signal !== null) return text('execution.process-killed', { signal: end.signal });
  return text('execution.process-exited', { code: end.exitCode ?? 'null' });
}
