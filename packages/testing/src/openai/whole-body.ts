import type { JsonRecord } from '../json-value.ts';
import type { ResolvedAnswer } from '../resolve-answer.ts';
import { replyFields } from './reply-fields.ts';

/** The `chat.completion` object of a non-streaming answer. */
export function wholeBody(answer: ResolvedAnswer): JsonRecord {
  const { head, finishReason, usage } = replyFields(answer);
  const toolCalls = answer.calls.map(({ id, name, rawInput }) => ({
    id,
    type: 'function',
    function: { name, arguments: rawInput },
  }));
  const message = {
    role: 'assistant',
    content: answer.text === '' && toolCalls.length > 0 ? null : answer.text,
    refusal: null,
    ...(answer.reasoning === '' ? {} : { reasoning_content: answer.reasoning }),
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
  };
  return {
    object: 'chat.completion',
    ...head,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason }],
    usage,
  };
}
