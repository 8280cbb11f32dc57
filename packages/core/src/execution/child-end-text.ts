import type { MessageKey } from '../contracts/message-key.ts';
import { text } from '../contracts/texts/text.ts';
import { CHILD_HEAP_MB, type ChildEnd } from './child.ts';

/** What a child's end means, for people and models: no paths, no insides. */
export function childEndText(end: ChildEnd): MessageKey {
  if (end.startError !== undefined) return text('execution.process-not-started');
  if (end.fault !== undefined) return text('execution.pipe-misused');
  if (end.outOfMemory) return text('execution.out-of-memory', { limitMb: CHILD_HEAP_MB });
  if (end.signal !== null) return text('execution.process-killed', { signal: end.signal });
  return text('execution.process-exited', { code: end.exitCode ?? 'null' });
}
