import type { Answer } from './answer.ts';
import type { IdSequence } from './id-sequence.ts';
import type { ReceivedRequest } from './received-request.ts';

/** An answer with every default filled in, ready to be written in any format. */
export interface ResolvedAnswer {
  readonly messageId: string;
  readonly model: string;
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly rawInput: string }[];
  readonly finishReason: string;
  readonly usage: {
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly cachedInputTokens: number;
    readonly cacheWriteTokens: number;
    readonly reasoningTokens: number | undefined;
  };
  readonly chunkSize: number;
}

const defaultChunkSize = 8;
const charactersPerToken = 4;

export function resolveAnswer(answer: Answer, request: ReceivedRequest, ids: IdSequence): ResolvedAnswer {
  const text = answer.text ?? '';
  const reasoning = answer.reasoning ?? '';
  const takenIds = new Set(request.messages.flatMap((message) => message.calls.map((call) => call.id)));
  const calls = (answer.calls ?? []).map((call) => ({
    id: call.id ?? ids.nextCall(request.format, takenIds),
    name: call.name,
    rawInput: call.rawInput ?? JSON.stringify(call.input ?? {}),
  }));
  const answerLength = calls.reduce((sum, call) => sum + call.rawInput.length, text.length + reasoning.length);
  return {
    messageId: ids.nextMessage(request.format),
    model: request.model,
    text,
    reasoning,
    calls,
    finishReason: answer.finishReason ?? (calls.length > 0 ? 'tool-calls' : 'stop'),
    usage: {
      inputTokens: answer.usage?.inputTokens ?? Math.ceil(request.bodyText.length / charactersPerToken),
      outputTokens: answer.usage?.outputTokens ?? Math.ceil(answerLength / charactersPerToken),
      cachedInputTokens: answer.usage?.cachedInputTokens ?? 0,
      cacheWriteTokens: answer.usage?.cacheWriteTokens ?? 0,
      reasoningTokens: answer.usage?.reasoningTokens,
    },
    chunkSize: Math.max(1, Math.floor(answer.chunkSize ?? defaultChunkSize)),
  };
}
