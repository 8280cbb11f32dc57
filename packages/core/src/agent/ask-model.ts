import type { ToolWire } from '../contracts/capability.ts';
import type { Message } from '../contracts/message.ts';
import { type ModelStep, readModelStream, toModelPrompt } from '../models/index.ts';
import type { TurnRequest } from './turn-request.ts';

/** One model request of a turn; what it says is told as it comes. Rejects with a `ModelError`, or as the signal aborts. */
export function askModel(
  { model, tools, locale, emit }: TurnRequest,
  messages: readonly Message[],
  system: string,
  step: number,
  signal: AbortSignal,
): Promise<ModelStep> {
  const prompt = toModelPrompt({ messages, system, provider: model.provider, locale });
  return readModelStream({
    model: model.model,
    // The list is frozen and shared by all turns: copying ten thousand tools a step would be felt.
    options: { prompt, abortSignal: signal, ...(tools.length === 0 ? {} : { tools: tools as ToolWire[] }) },
    provider: model.provider,
    onText: (delta) => emit({ type: 'text-delta', step, text: delta }),
    onReasoning: (delta) => emit({ type: 'reasoning-delta', step, text: delta }),
  });
}
