import { type JsonRecord, parseJson } from '../json-value.ts';
import type { ResolvedAnswer } from '../resolve-answer.ts';
import { replyFields } from './reply-fields.ts';

/** The `message` object of a non-streaming answer. */
export function wholeBody(answer: ResolvedAnswer): JsonRecord {
  const { head, stopReason, signature, usage } = replyFields(answer);
  const content: object[] = [];
  if (answer.reasoning !== '') content.push({ type: 'thinking', thinking: answer.reasoning, signature });
  if (answer.text !== '') content.push({ type: 'text', text: answer.text });
  for (const { id, name, rawInput } of answer.calls) {
    // `input` is a value in this format, so a malformed text can only travel as a string.
    const input = parseJson(rawInput);
    content.push({ type: 'tool_use', id, name, input: input === undefined ? rawInput : input });
  }
  return { ...head, content, stop_reason: stopReason, stop_sequence: null, usage };
}
