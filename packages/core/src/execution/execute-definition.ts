import type { ToolContext } from '../authoring/tool-context.ts';
import type { LiveTool } from '../contracts/capability.ts';
import type { CallRequest, ExecutorEnd } from '../contracts/executor.ts';
import type { Locale } from '../contracts/locale.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import { describeFailure, type FailureReading } from './describe-failure.ts';
import { executionLimits } from './execution-limits.ts';
import { isDeclaredFailure, isDeclaredSuccess } from './is-declared.ts';
import { notJsonText } from './not-json-text.ts';
import { plainJson } from './plain-json.ts';
import { isContentParts, plainParts } from './plain-parts.ts';
import { readMember } from './read-member.ts';
import { validateInput } from './validate-input.ts';

/**
 * Runs a tool's code to its end, in whatever process it is: parses the input by the tool's own schema, follows an
 * async iterable (earlier values are progress, the last is the result), and makes plain JSON of what comes back.
 * Never rejects. Knows no time limit; whoever calls may stop waiting.
 */
export async function executeDefinition(
  definition: LiveTool,
  request: CallRequest,
  context: ToolContext,
  reading: FailureReading,
): Promise<ExecutorEnd> {
  try {
    const input = await validateInput(definition, request.input, reading.clean);
    if (!input.ok) {
      const message = input.issues
        .map((issue) => (issue.pointer === '' ? issue.message : `${issue.pointer}: ${issue.message}`))
        .join('; ');
      return { ok: false, code: 'INVALID_ARGUMENTS', message: message.slice(0, executionLimits.messageChars) };
    }
    const tool = definition as { execute(input: unknown, context: ToolContext): unknown };
    const returned = await tool.execute(input.value, context);
    const value = isAsyncIterable(returned) ? await follow(returned, context, request.locale) : returned;
    return endWith(value, request.locale, reading);
  } catch (error) {
    // Thrown out of deep code, what `success` made is a result all the same.
    return isDeclaredSuccess(error)
      ? endWith(error, request.locale, reading)
      : describeFailure(error, request.locale, reading);
  }
}

function endWith(value: unknown, locale: Locale, reading: FailureReading): ExecutorEnd {
  if (isDeclaredFailure(value)) return describeFailure(value, locale, reading);
  const result = isDeclaredSuccess(value) ? readMember(value, 'result') : value;
  if (isContentParts(result)) {
    const read = plainParts(result);
    if (read.ok) return { ok: true, value: read.parts, isParts: true };
    return { ok: false, code: 'INVALID_RESULT', message: renderText(read.reason, locale) };
  }
  const plain = plainJson(result);
  if (plain.ok) return { ok: true, value: plain.value };
  const message = renderText(notJsonText('execution.result-not-json', plain, locale), locale);
  return { ok: false, code: 'INVALID_RESULT', message };
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] === 'function'
  );
}

async function follow(iterable: AsyncIterable<unknown>, context: ToolContext, locale: Locale): Promise<unknown> {
  const iterator: AsyncIterator<unknown, unknown> = iterable[Symbol.asyncIterator]();
  let latest: { readonly value: unknown } | undefined;
  for (;;) {
    const step: unknown = await iterator.next();
    if (!isStep(step)) {
      const found = step === null ? 'null' : typeof step;
      throw new TypeError(renderText(text('execution.iterator-step', { found }), locale));
    }
    // A generator that also returns something means that as its last value.
    if (step.done === true && step.value === undefined) return latest?.value;
    if (latest !== undefined) context.progress(latest.value as never);
    if (step.done === true) return step.value;
    latest = { value: step.value };
    if (context.signal.aborted) {
      // Nobody waits any more: the generator's `finally` blocks run, and nothing after its `yield`.
      await iterator.return?.();
      throw context.signal.reason;
    }
  }
}

/** What the language demands; `for await` throws otherwise. */
function isStep(step: unknown): step is IteratorResult<unknown, unknown> {
  return (typeof step === 'object' && step !== null) || typeof step === 'function';
}
