import { contentParts } from '../authoring/content-parts.ts';
import { InvokeError } from '../authoring/invoke-error.ts';
import type { ToolContext } from '../authoring/tool-context.ts';
import type { InvokeAnswer } from '../contracts/invoke-answer.ts';
import type { Locale } from '../contracts/locale.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import type { AskHost } from './ask-host.ts';
import { nameFound } from './name-found.ts';
import { notJsonText } from './not-json-text.ts';
import { plainJson } from './plain-json.ts';

/**
 * `context.invoke`, where the tool runs: checks that what goes out is plain data, and turns the host's plain answer into
 * the result or an `InvokeError`.
 */
export function createContextInvoke(ask: AskHost, locale: Locale): ToolContext['invoke'] {
  return async (name: unknown, input: unknown = {}) => {
    if (typeof name !== 'string') {
      throw new TypeError(renderText(text('execution.invoke-name', { found: nameFound(name) }), locale));
    }
    const plain = plainJson(input);
    if (!plain.ok) {
      const fault = notJsonText('execution.arguments-not-json', plain, locale, { what: 'context.invoke' });
      throw new TypeError(renderText(fault, locale));
    }
    const { value } = plain;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      const tool = name.slice(0, 200);
      throw new TypeError(renderText(text('execution.invoke-input', { tool, found: nameFound(input) }), locale));
    }
    const answer = (await ask('invoke', [name, value])) as unknown as InvokeAnswer;
    if (answer.status === 'success') {
      return answer.isParts === true ? contentParts(answer.value as never) : answer.value;
    }
    const { toolName, code, reason, hint, retryable, effect } = answer;
    const message = renderText(text('execution.invoke-failed', { tool: toolName, code, reason }), locale);
    throw new InvokeError(message, { toolName, code, reason, hint, retryable, effect });
  };
}
