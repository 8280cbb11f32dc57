import { ToolError } from '../authoring/tool-error.ts';
import type { Locale } from '../contracts/locale.ts';
import type { OutcomeCode } from '../contracts/outcome.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import { executionLimits } from './execution-limits.ts';
import type { FailedEnd } from './failed-end.ts';
import type { StackMapper } from './map-stack.ts';
import type { CleanMessage } from './message-cleaner.ts';
import { readMember } from './read-member.ts';

/** What turns thrown values into ends: where stacks point, and which paths models must not see. */
export interface FailureReading {
  readonly stacks: StackMapper;
  readonly clean: CleanMessage;
}

/** What an author's error may say of itself; the others are verdicts of the runtime. */
const AUTHORS_CODES: ReadonlySet<unknown> = new Set<OutcomeCode>([
  'INVALID_ARGUMENTS',
  'UPSTREAM_UNAVAILABLE',
  'EXECUTION_ERROR',
  'INVALID_RESULT',
]);

/**
 * The end of a call whose code threw, whatever it threw. An author's `ToolError` speaks for itself; of anything else
 * the message is kept, without stack and without paths of this machine.
 */
export function describeFailure(thrown: unknown, locale: Locale, { stacks, clean }: FailureReading): FailedEnd {
  const message = clean(messageOf(thrown, locale));
  const stack = stacks.stackOf(thrown);
  const traced = stack === undefined ? {} : { stack };
  if (!isToolError(thrown)) return { ok: false, code: 'EXECUTION_ERROR', message, ...traced };
  const code = readMember(thrown, 'code');
  const hint = readMember(thrown, 'hint');
  const retryable = readMember(thrown, 'retryable');
  return {
    ok: false,
    code: AUTHORS_CODES.has(code) ? (code as OutcomeCode) : 'EXECUTION_ERROR',
    message,
    ...(typeof hint === 'string' ? { hint: clean(hint.slice(0, executionLimits.hintChars)) } : {}),
    ...(typeof retryable === 'boolean' ? { retryable } : {}),
    ...traced,
  };
}

function isToolError(thrown: unknown): boolean {
  try {
    return ToolError.isInstance(thrown);
  } catch {
    return false;
  }
}

function messageOf(thrown: unknown, locale: Locale): string {
  if (typeof thrown === 'string' && thrown !== '') return thrown;
  const message = readMember(thrown, 'message');
  if (typeof message === 'string' && message !== '') return message;
  return renderText(text('execution.threw-without-message', { value: nameThrown(thrown) }), locale);
}

/** `null`, `42`, `TypeError`: enough to find it in the code. */
function nameThrown(thrown: unknown): string {
  if (thrown === '') return "''";
  if (typeof thrown === 'function') return 'function';
  if (thrown === null || typeof thrown !== 'object') return String(thrown);
  const name = readMember(thrown, 'name') ?? readMember(readMember(thrown, 'constructor'), 'name');
  return typeof name === 'string' && name !== '' ? name.slice(0, 100) : 'object';
}
