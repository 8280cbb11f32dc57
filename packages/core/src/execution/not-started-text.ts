import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import type { ChildEnd } from './child.ts';
import { childEndText } from './child-end-text.ts';

/** Why the process that was to load a folder did not start. */
export function notStartedText(folder: string, end: ChildEnd): string {
  const { startError, fault } = end;
  const isPlain = startError?.isShortage === true || (startError === undefined && fault === undefined);
  const reason = isPlain ? childEndText(end, false, 'en') : (startError?.message ?? fault ?? '');
  return renderText(text('execution.describer-not-started', { folder, reason }), 'en');
}
