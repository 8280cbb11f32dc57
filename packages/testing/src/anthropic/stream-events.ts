import type { ResolvedAnswer } from '../resolve-answer.ts';
import { textPieces } from '../text-pieces.ts';
import { replyFields } from './reply-fields.ts';

/** The events of a message in the order Anthropic sends them, each with its `event:` line. */
export function streamEvents(answer: ResolvedAnswer): string[] {
  const { head, stopReason, signature, usage } = replyFields(answer);
  const { output_tokens: _, output_tokens_details: __, ...inputUsage } = usage;
  const event = (type: string, fields: object = {}) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
  const start = { ...head, content: [], stop_reason: null, stop_sequence: null };
  const events = [event('message_start', { message: { ...start, usage: { ...inputUsage, output_tokens: 1 } } })];

  let index = 0;
  const addBlock = (block: object, deltas: readonly object[]) => {
    events.push(event('content_block_start', { index, content_block: block }));
    if (index === 0) events.push(event('ping'));
    for (const delta of deltas) events.push(event('content_block_delta', { index, delta }));
    events.push(event('content_block_stop', { index }));
    index += 1;
  };
  const pieces = (text: string) => textPieces(text, answer.chunkSize);

  if (answer.reasoning !== '') {
    addBlock({ type: 'thinking', thinking: '', signature: '' }, [
      ...pieces(answer.reasoning).map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature },
    ]);
  }
  if (answer.text !== '') {
    addBlock(
      { type: 'text', text: '' },
      pieces(answer.text).map((text) => ({ type: 'text_delta', text })),
    );
  }
  for (const { id, name, rawInput } of answer.calls) {
    addBlock(
      { type: 'tool_use', id, name, input: {} },
      // The provider opens the arguments with an empty piece.
      ['', ...pieces(rawInput)].map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
    );
  }
  events.push(event('message_delta', { delta: { stop_reason: stopReason, stop_sequence: null }, usage }));
  events.push(event('message_stop'));
  return events;
}
