import { type AuthorErrorType, authorErrorTypes } from '../authoring/author-error-type.ts';
import { ToolError } from '../authoring/tool-error.ts';
import type { Locale } from '../contracts/locale.ts';
import { showValue } from '../contracts/show-value.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import { executionLimits } from './execution-limits.ts';
import type { FailedEnd } from './failed-end.ts';
import { isDeclaredFailure } from './is-declared.ts';
import type { StackMapper } from './map-stack.ts';
import type { CleanMessage } from './message-cleaner.ts';
import { readMember } from './read-member.ts';

/** What turns thrown values into ends: where stacks point, and which paths models must not see. */
export interface FailureReading {
  readonly stacks: StackMapper;
  readonly clean: CleanMessage;
}

/** What an author's error may say of itself; the others are verdicts of the runtime. */
const AUTHORS_CODES: ReadonlySet<unknown> = new Set(authorErrorTypes);

/** Codes of what may pass by itself. */
const PASSING: ReadonlySet<unknown> = new Set<AuthorErrorType>(['UPSTREAM_UNAVAILABLE', 'RATE_LIMITED']);

/**
 * The end of a call whose code threw, whatever it threw. What `failure` made and an author's `ToolError` speak for
 * themselves; of anything else the message is kept. Without stack and without paths of this machine.
 *
 * `retryable` is set where it is the author's own word: in a declared failure, and in an error that differs from what
 * its code implies.
 */
export function describeFailure(thrown: unknown, locale: Locale, reading: FailureReading): FailedEnd {
  if (isDeclaredFailure(thrown)) return declaredFailure(thrown, locale, reading);
  const { stacks, clean } = reading;
  const message = clean(messageOf(thrown, locale));
  const stack = stacks.stackOf(thrown);
  const traced = stack === undefined ? {} : { stack };
  if (!isToolError(thrown)) return { ok: false, code: 'EXECUTION_ERROR', message, ...traced };
  const claimed = readMember(thrown, 'code');
  const code = isAuthorsCode(claimed) ? claimed : 'EXECUTION_ERROR';
  const retryable = readMember(thrown, 'retryable');
  return {
    ok: false,
    code,
    message,
    ...hintOf(thrown, clean),
    ...(typeof retryable === 'boolean' && retryable !== PASSING.has(code) ? { retryable } : {}),
    ...traced,
  };
}

/** What `failure` made, with the author's words unchanged; members of the wrong type count as absent. */
function declaredFailure(failure: unknown, locale: Locale, { clean }: FailureReading): FailedEnd {
  const code = readMember(failure, 'error_type');
  const said = readMember(failure, 'message');
  const hasSaid = typeof said === 'string' && said.trim() !== '';
  if (!isAuthorsCode(code)) {
    const values = {
      found: showValue(plainOf(code)),
      possible: authorErrorTypes.join(', '),
      message: hasSaid ? clean(said) : '-',
    };
    const message = renderText(text('execution.bad-error-type', values), locale);
    return { ok: false, code: 'EXECUTION_ERROR', message, ...hintOf(failure, clean) };
  }
  const retryable = readMember(failure, 'retryable');
  return {
    ok: false,
    code,
    message: hasSaid ? clean(said) : renderText(text('execution.failure-without-message', { code }), locale),
    ...hintOf(failure, clean),
    retryable: typeof retryable === 'boolean' ? retryable : PASSING.has(code),
  };
}

function isAuthorsCode(code: unknown): code is AuthorErrorType {
  return AUTHORS_CODES.has(code);
}

/** Something to show of a value that may be anything. */
function plainOf(value: unknown): string | undefined {
  return value === undefined ? undefined : typeof value === 'string' ? value : typeof value;
}

function hintOf(failure: unknown, clean: CleanMessage): { readonly hint?: string } {
  const hint = readMember(failure, 'hint');
  return typeof hint === 'string' && hint !== '' ? { hint: clean(hint.slice(0, executionLimits.hintChars)) } : {};
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
