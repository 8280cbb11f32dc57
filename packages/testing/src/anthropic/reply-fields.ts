import type { ResolvedAnswer } from '../resolve-answer.ts';

const stopReasons = new Map([
  ['stop', 'end_turn'],
  ['length', 'max_tokens'],
  ['tool-calls', 'tool_use'],
  ['content-filter', 'refusal'],
]);

/** The fields a streamed and a whole answer share. */
export function replyFields(answer: ResolvedAnswer) {
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens, reasoningTokens } = answer.usage;
  return {
    head: { id: answer.messageId, type: 'message', role: 'assistant', model: answer.model },
    stopReason: stopReasons.get(answer.finishReason) ?? answer.finishReason,
    // The provider checks a thinking block by its signature; a client has to send it back unchanged.
    signature: `scripted-signature-${answer.messageId}`,
    usage: {
      // Here the cache is not part of the input tokens.
      input_tokens: Math.max(0, inputTokens - cachedInputTokens - cacheWriteTokens),
      cache_creation_input_tokens: cacheWriteTokens,
      cache_read_input_tokens: cachedInputTokens,
      output_tokens: outputTokens,
      ...(reasoningTokens === undefined ? {} : { output_tokens_details: { thinking_tokens: reasoningTokens } }),
    },
  };
}
