import type { LanguageModelV4StreamPart, SharedV4ProviderMetadata } from '@ai-sdk/provider';
import type { Json } from '../contracts/json.ts';
import type { ProviderData, ReasoningPart, TextPart } from '../contracts/message.ts';
import type { MessageKey } from '../contracts/message-key.ts';
import { text } from '../contracts/texts/text.ts';
import type { Usage } from '../contracts/turn-event.ts';
import type { ProposedCall } from './proposed-call.ts';

type Finish = Extract<LanguageModelV4StreamPart, { type: 'finish' }>;

/** A part while it grows. */
interface GrowingPart {
  readonly type: 'text' | 'reasoning';
  text: string;
  metadata: SharedV4ProviderMetadata | undefined;
}

export interface StepListeners {
  readonly onText?: ((delta: string) => void) | undefined;
  readonly onReasoning?: ((delta: string) => void) | undefined;
}

/** Puts the pieces of one model answer together. */
export class StepCollector {
  readonly calls: ProposedCall[] = [];
  readonly notes: MessageKey[] = [];
  finish: Finish | undefined;
  readonly #provider: string;
  /** The provider wants thoughts back even where it says nothing more about them. */
  readonly #keepsThoughts: boolean;
  readonly #listeners: StepListeners;
  readonly #parts: GrowingPart[] = [];
  readonly #open = new Map<string, GrowingPart>();

  constructor(provider: string, keepsThoughts: boolean, listeners: StepListeners) {
    this.#provider = provider;
    this.#keepsThoughts = keepsThoughts;
    this.#listeners = listeners;
  }

  /** Takes any part but `error`. */
  take(part: Exclude<LanguageModelV4StreamPart, { type: 'error' }>): void {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        this.#start(part.type === 'text-start' ? 'text' : 'reasoning', part.id, part.providerMetadata);
        break;
      case 'text-delta':
        this.#grow('text', part.id, part.delta, part.providerMetadata);
        if (part.delta !== '') this.#listeners.onText?.(part.delta);
        break;
      case 'reasoning-delta':
        this.#grow('reasoning', part.id, part.delta, part.providerMetadata);
        if (part.delta !== '') this.#listeners.onReasoning?.(part.delta);
        break;
      case 'text-end':
      case 'reasoning-end':
        this.#end(part.type === 'text-end' ? 'text' : 'reasoning', part.id, part.providerMetadata);
        break;
      case 'tool-call':
        if (part.providerExecuted === true) {
          this.#ignore(`tool-call ${part.toolName}`);
          break;
        }
        this.calls.push({
          providerCallId: part.toolCallId,
          toolName: part.toolName,
          rawInput: part.input,
          ...this.#dataOf(part.providerMetadata),
        });
        break;
      case 'tool-result':
        this.#ignore(`tool-result ${part.toolName}`);
        break;
      case 'tool-approval-request':
      case 'file':
      case 'reasoning-file':
        this.#ignore(part.type);
        break;
      case 'finish':
        this.finish = part;
        break;
      default:
        // Bookkeeping, sources, and pieces of arguments that come whole with their call.
        break;
    }
  }

  /** Texts without content are left out; a thought without text stays when the provider said something about it. */
  parts(): (TextPart | ReasoningPart)[] {
    const parts: (TextPart | ReasoningPart)[] = [];
    for (const { type, text: said, metadata } of this.#parts) {
      if (said === '' && (type === 'text' || metadata === undefined)) continue;
      parts.push({ type, text: said, ...this.#dataOf(metadata, type === 'reasoning' && this.#keepsThoughts) });
    }
    return parts;
  }

  usage(): Usage {
    const { inputTokens, outputTokens } = this.finish?.usage ?? {};
    return {
      inputTokens: inputTokens?.total ?? 0,
      outputTokens: outputTokens?.total ?? 0,
      cachedTokens: inputTokens?.cacheRead ?? 0,
    };
  }

  #start(type: GrowingPart['type'], id: string, metadata: SharedV4ProviderMetadata | undefined): GrowingPart {
    const part: GrowingPart = { type, text: '', metadata };
    this.#parts.push(part);
    this.#open.set(`${type} ${id}`, part);
    return part;
  }

  #grow(type: GrowingPart['type'], id: string, delta: string, metadata: SharedV4ProviderMetadata | undefined): void {
    const part = this.#open.get(`${type} ${id}`) ?? this.#start(type, id, undefined);
    part.text += delta;
    if (metadata !== undefined) part.metadata = metadata;
  }

  #end(type: GrowingPart['type'], id: string, metadata: SharedV4ProviderMetadata | undefined): void {
    const part = this.#open.get(`${type} ${id}`);
    if (part !== undefined && metadata !== undefined) part.metadata = metadata;
    this.#open.delete(`${type} ${id}`);
  }

  #dataOf(metadata: SharedV4ProviderMetadata | undefined, always = false): { readonly providerData?: ProviderData } {
    if (metadata === undefined && !always) return {};
    return { providerData: { provider: this.#provider, data: (metadata ?? {}) as Json } };
  }

  #ignore(kind: string): void {
    this.notes.push(text('models.ignored-part', { kind }));
  }
}
