import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from '@ai-sdk/provider';
import type { Locale } from '../../contracts/locale.ts';
import { answerOffline, type OfflineAnswer } from './answer-offline.ts';
import { textPieces } from './text-pieces.ts';

export interface OfflineModelOptions {
  /** The language of the reply where the user's text does not show one. */
  readonly locale: Locale;
}

/**
 * A model that needs no service: it runs `/tool name key=value …` with the tools that it is sent, shows the result, and
 * otherwise says what it is and how a real model is configured. Equal prompts give equal answers. It sees what every
 * model sees and nothing else, takes time linear in the prompt and costs no tokens.
 *
 * @example
 * const model = createOfflineModel({ locale: 'zh' });
 */
export function createOfflineModel(options: OfflineModelOptions): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'offline',
    modelId: 'offline',
    supportedUrls: {},
    async doGenerate(request): Promise<LanguageModelV4GenerateResult> {
      const answer = answerTo(request, options.locale);
      return {
        content: [
          answer.kind === 'text'
            ? { type: 'text', text: answer.text }
            : { type: 'tool-call', toolCallId: answer.id, toolName: answer.toolName, input: answer.rawInput },
        ],
        finishReason: finishReason(answer),
        usage: usage(),
        warnings: [],
      };
    },
    async doStream(request): Promise<LanguageModelV4StreamResult> {
      const parts = streamParts(answerTo(request, options.locale));
      return {
        stream: new ReadableStream<LanguageModelV4StreamPart>({
          pull(controller) {
            if (request.abortSignal?.aborted === true) {
              controller.error(request.abortSignal.reason);
              return;
            }
            const { done, value } = parts.next();
            if (done === true) controller.close();
            else controller.enqueue(value);
          },
        }),
      };
    },
  };
}

function answerTo(request: LanguageModelV4CallOptions, locale: Locale): OfflineAnswer {
  request.abortSignal?.throwIfAborted();
  const tools = (request.tools ?? []).filter((tool) => tool.type === 'function');
  return answerOffline(request.prompt, tools, locale);
}

function* streamParts(answer: OfflineAnswer): Generator<LanguageModelV4StreamPart, undefined> {
  yield { type: 'stream-start', warnings: [] };
  if (answer.kind === 'text') {
    yield { type: 'text-start', id: '0' };
    for (const delta of textPieces(answer.text)) yield { type: 'text-delta', id: '0', delta };
    yield { type: 'text-end', id: '0' };
  } else {
    const { id, toolName, rawInput } = answer;
    yield { type: 'tool-input-start', id, toolName };
    yield { type: 'tool-input-delta', id, delta: rawInput };
    yield { type: 'tool-input-end', id };
    yield { type: 'tool-call', toolCallId: id, toolName, input: rawInput };
  }
  yield { type: 'finish', finishReason: finishReason(answer), usage: usage() };
}

function finishReason(answer: OfflineAnswer): LanguageModelV4GenerateResult['finishReason'] {
  return { unified: answer.kind === 'text' ? 'stop' : 'tool-calls', raw: undefined };
}

function usage(): LanguageModelV4GenerateResult['usage'] {
  return {
    inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 0, text: 0, reasoning: 0 },
  };
}
