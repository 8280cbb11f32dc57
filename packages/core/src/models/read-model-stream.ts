import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { ReasoningPart, TextPart } from '../contracts/message.ts';
import type { MessageKey } from '../contracts/message-key.ts';
import { text } from '../contracts/texts/text.ts';
import type { Usage } from '../contracts/turn-event.ts';
import { KeyedModel } from './keyed-model.ts';
import { ModelError } from './model-error.ts';
import { profileOf } from './profile-of.ts';
import type { ProposedCall } from './proposed-call.ts';
import { StepCollector, type StepListeners } from './step-collector.ts';
import { toModelError } from './to-model-error.ts';

export interface ModelRequest extends StepListeners {
  readonly model: LanguageModelV4;
  /** `abortSignal` ends the request at once. */
  readonly options: LanguageModelV4CallOptions;
  /** `ResolvedModel.provider`. */
  readonly provider: string;
}

/** One whole answer of a model. It has text or a call, or both. */
export interface ModelStep {
  /** In the order in which they came. */
  readonly parts: readonly (TextPart | ReasoningPart)[];
  readonly calls: readonly ProposedCall[];
  readonly finishReason: 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'other';
  /** Tokens; 0 where the provider does not tell. */
  readonly usage: Usage;
  /** What was left out of the answer, for the record. */
  readonly notes: readonly MessageKey[];
}

/**
 * Asks a model and reads its answer to the end, telling pieces of it as they come. The listeners must not throw.
 *
 * Rejects with one `ModelError`, whatever went wrong: refusals, faults of the service, no connection, an answer that
 * breaks off or is empty, an abort.
 *
 * @example
 * const step = await readModelStream({ model, provider, options: { prompt }, onText: (delta) => out.write(delta) });
 */
export async function readModelStream(request: ModelRequest): Promise<ModelStep> {
  const { model, options, provider, onText, onReasoning } = request;
  const keepsThoughts = profileOf(provider)?.returnsReasoning === true;
  const collector = new StepCollector(provider, keepsThoughts, { onText, onReasoning });
  const signal = options.abortSignal;
  try {
    signal?.throwIfAborted();
    const { stream } = await model.doStream(options);
    await readAll(stream, collector, signal);
  } catch (error) {
    throw toModelError(error, {
      model: `${provider}/${model.modelId}`,
      aborted: signal?.aborted === true ? { reason: signal.reason as unknown } : undefined,
      hide: model instanceof KeyedModel ? (said) => model.hideKey(said) : (said) => said,
    });
  }
  return finishedStep(collector, `${provider}/${model.modelId}`);
}

async function readAll(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  collector: StepCollector,
  signal: AbortSignal | undefined,
): Promise<void> {
  const reader = stream.getReader();
  // Not every model listens to the signal by itself.
  const cancel = () => void reader.cancel().catch(() => undefined);
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal?.throwIfAborted();
      if (done) return;
      if (value.type === 'error') throw value.error;
      collector.take(value);
    }
  } catch (error) {
    cancel();
    throw error;
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}

function finishedStep(collector: StepCollector, name: string): ModelStep {
  const { finish, calls, notes } = collector;
  const reason = finish?.finishReason.unified;
  if (reason === undefined || reason === 'error' || reason === 'interrupted') {
    throw new ModelError('BROKEN_ANSWER', text('models.broken-answer', { name }), { retryable: true });
  }
  const parts = collector.parts();
  if (calls.length === 0 && !parts.some((part) => part.type === 'text' && /\S/.test(part.text))) {
    throw emptyAnswer(reason, name);
  }
  return { parts, calls, finishReason: reason, usage: collector.usage(), notes };
}

function emptyAnswer(reason: ModelStep['finishReason'], name: string): ModelError {
  if (reason === 'length') return new ModelError('EMPTY_ANSWER', text('models.answer-cut-off', { name }));
  if (reason === 'content-filter') return new ModelError('ANSWER_WITHHELD', text('models.answer-withheld', { name }));
  return new ModelError('EMPTY_ANSWER', text('models.empty-answer', { name }), { retryable: true });
}
