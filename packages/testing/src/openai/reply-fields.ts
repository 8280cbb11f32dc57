import type { ResolvedAnswer } from '../resolve-answer.ts';

const finishReasons = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  ['tool-calls', 'tool_calls'],
  ['content-filter', 'content_filter'],
]);

/** The fields a streamed and a whole answer share. `created` is fixed, so that answers are reproducible. */
export function replyFields(answer: ResolvedAnswer) {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens } = answer.usage;
  return {
    head: { id: answer.messageId, created: 1_735_689_600, model: answer.model, system_fingerprint: 'fp_scripted' },
    finishReason: finishReasons.get(answer.finishReason) ?? answer.finishReason,
    usage: {
      prompt_tokens: inputTokens,
      completion_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
      prompt_tokens_details: { cached_tokens: cachedInputTokens, audio_tokens: 0 },
      completion_tokens_details: {
        reasoning_tokens: reasoningTokens ?? 0,
        audio_tokens: 0,
        accepted_prediction_tokens: 0,
        rejected_prediction_tokens: 0,
      },
    },
  };
}
