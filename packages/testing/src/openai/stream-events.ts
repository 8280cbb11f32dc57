import { isRecord, type JsonRecord } from '../json-value.ts';
import type { ResolvedAnswer } from '../resolve-answer.ts';
import { textPieces } from '../text-pieces.ts';
import { replyFields } from './reply-fields.ts';

/** `chat.completion.chunk` events in the order OpenAI sends them, `[DONE]` last. */
export function streamEvents(answer: ResolvedAnswer, body: JsonRecord): string[] {
  const { head, finishReason, usage } = replyFields(answer);
  const options = body.stream_options;
  const includeUsage = isRecord(options) && options.include_usage === true;
  // With include_usage every chunk has the field and only the last, choiceless one fills it.
  const chunk = (choices: readonly object[], total: object | null = null) =>
    `data: ${JSON.stringify({
      object: 'chat.completion.chunk',
      ...head,
      choices,
      ...(includeUsage ? { usage: total } : {}),
    })}\n\n`;
  const delta = (content: object, reason: string | null = null) =>
    chunk([{ index: 0, delta: content, logprobs: null, finish_reason: reason }]);
  const pieces = (text: string) => textPieces(text, answer.chunkSize);

  const onlyCalls = answer.text === '' && answer.calls.length > 0;
  const events = [delta({ role: 'assistant', content: onlyCalls ? null : '', refusal: null })];
  for (const piece of pieces(answer.reasoning)) events.push(delta({ reasoning_content: piece }));
  for (const piece of pieces(answer.text)) events.push(delta({ content: piece }));
  for (const [index, { id, name, rawInput }] of answer.calls.entries()) {
    events.push(delta({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }));
    for (const piece of pieces(rawInput)) {
      events.push(delta({ tool_calls: [{ index, function: { arguments: piece } }] }));
    }
  }
  events.push(delta({}, finishReason));
  if (includeUsage) events.push(chunk([], usage));
  events.push('data: [DONE]\n\n');
  return events;
}
