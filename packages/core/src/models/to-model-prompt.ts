import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultPart,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import type { CallId } from '../contracts/call.ts';
import type { Locale } from '../contracts/locale.ts';
import type { AssistantMessage, Message, ProviderData, ToolMessage } from '../contracts/message.ts';
import type { ErrorOutcome } from '../contracts/outcome.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import { type LooksAt, mediaInResults } from './media-in-results.ts';
import { parseCallInput } from './parse-call-input.ts';
import { portableToolName } from './portable-tool-name.ts';
import { profileOf } from './profile-of.ts';
import { toResultOutput } from './to-result-output.ts';
import { wellFormed } from './well-formed.ts';
import { WireCallIds } from './wire-call-ids.ts';

export interface PromptSource {
  readonly messages: readonly Message[];
  /** Blank = no system message. */
  readonly system: string;
  /** Who is asked: `ResolvedModel.provider`. Data of other providers stays here. */
  readonly provider: string;
  /** The language of error messages and other texts of ours that the model reads. */
  readonly locale: Locale;
}

type AssistantPart = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number];

/** Stands for a thought that another model had: providers that want thoughts back take any text but none. */
const NO_THOUGHT = ' ';

/**
 * Our messages in the form that provider packages take, such that every provider accepts them whatever a model or a
 * tool wrote: each call has exactly one result, right behind the message that made it; ids and names are ones that
 * providers take; no text is empty or holds a lone surrogate. Never throws.
 *
 * @example
 * model.doStream({ prompt: toModelPrompt({ messages, system, provider: 'openai', locale: 'en' }) });
 */
export function toModelPrompt(source: PromptSource): LanguageModelV4Prompt {
  const { messages, system, locale } = source;
  const prompt: LanguageModelV4Prompt = [];
  const context: Context = {
    source,
    ids: new WireCallIds(source.provider),
    results: resultsByCall(messages),
    returnsReasoning: profileOf(source.provider)?.returnsReasoning === true,
    looksAt: mediaInResults(source.provider),
  };
  if (!isBlank(system)) prompt.push({ role: 'system', content: wellFormed(system) });
  for (const message of messages) {
    if (message.role === 'user') {
      const said = isBlank(message.text) ? renderText(text('models.empty-message'), locale) : wellFormed(message.text);
      prompt.push({ role: 'user', content: [{ type: 'text', text: said }] });
    } else if (message.role === 'assistant') {
      addAssistant(prompt, message, context);
    }
  }
  return prompt;
}

interface Context {
  readonly source: PromptSource;
  readonly ids: WireCallIds;
  readonly results: ReadonlyMap<CallId, ToolMessage>;
  readonly returnsReasoning: boolean;
  readonly looksAt: LooksAt;
}

function resultsByCall(messages: readonly Message[]): Map<CallId, ToolMessage> {
  const results = new Map<CallId, ToolMessage>();
  for (const message of messages) {
    if (message.role === 'tool' && !results.has(message.callId)) results.set(message.callId, message);
  }
  return results;
}

function addAssistant(prompt: LanguageModelV4Prompt, message: AssistantMessage, context: Context): void {
  const content = spokenParts(message, context);
  const results: LanguageModelV4ToolResultPart[] = [];
  for (const call of message.calls) {
    const toolCallId = context.ids.idOf(call);
    const toolName = portableToolName(call.toolName);
    const input = parseCallInput(call.rawInput);
    const options = optionsFor(call.providerData, context);
    content.push({ type: 'tool-call', toolCallId, toolName, input: wellFormed(input ?? {}), ...options });
    const outcome = context.results.get(call.id)?.outcome ?? lostResult(call.toolName);
    const badInput = input === undefined ? call.rawInput : undefined;
    const output = toResultOutput(outcome, badInput, context.source.locale, context.looksAt);
    results.push({ type: 'tool-result', toolCallId, toolName, output });
  }
  if (content.length === 0) return;
  prompt.push({ role: 'assistant', content });
  if (results.length > 0) prompt.push({ role: 'tool', content: results });
}

/** What the model thought and said; empty when that is nothing, thoughts alone included. */
function spokenParts(message: AssistantMessage, context: Context): AssistantPart[] {
  const parts: AssistantPart[] = [];
  let hasThought = false;
  let hasText = false;
  for (const part of message.parts) {
    const options = optionsFor(part.providerData, context);
    if (part.type === 'reasoning') {
      if (options === undefined) continue;
      hasThought = true;
      parts.push({ type: 'reasoning', text: wellFormed(part.text), ...options });
    } else if (!isBlank(part.text)) {
      hasText = true;
      parts.push({ type: 'text', text: wellFormed(part.text), ...options });
    }
  }
  if (!hasText && message.calls.length === 0) return [];
  if (context.returnsReasoning && !hasThought) parts.unshift({ type: 'reasoning', text: NO_THOUGHT });
  return parts;
}

/** Undefined unless the data came from the provider that is asked. */
function optionsFor(
  given: ProviderData | undefined,
  context: Context,
): { readonly providerOptions: SharedV4ProviderOptions } | undefined {
  if (given === undefined || given.provider !== context.source.provider) return undefined;
  const { data } = given;
  return typeof data === 'object' && data !== null && !Array.isArray(data)
    ? { providerOptions: data as SharedV4ProviderOptions }
    : undefined;
}

/** Must not happen; a request without it would be refused for the rest of the session. */
function lostResult(tool: string): ErrorOutcome {
  return {
    status: 'error',
    effect: 'unknown',
    code: 'OUTCOME_UNKNOWN',
    message: text('models.lost-result', { tool }),
    hint: text('models.lost-result-hint'),
    retryable: false,
    durationMs: 0,
  };
}

function isBlank(value: string): boolean {
  return !/\S/.test(value);
}
