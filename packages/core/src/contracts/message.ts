import type { Json } from './json.ts';
import type { Call, CallId } from './made-call.ts';
import type { Outcome } from './outcome.ts';
import type { Usage } from './usage.ts';

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
  readonly providerData?: ProviderData;
}

export interface ReasoningPart {
  readonly type: 'reasoning';
  readonly text: string;
  readonly providerData?: ProviderData;
}

/** Opaque provider metadata (thinking signatures, item ids); sent back only to the provider that gave it. */
export interface ProviderData {
  readonly provider: string;
  readonly data: Json;
}

interface MessageBase {
  readonly turnId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface UserMessage extends MessageBase {
  readonly role: 'user';
  readonly speakerId: string;
  readonly text: string;
}

export interface AssistantMessage extends MessageBase {
  readonly role: 'assistant';
  readonly step: number;
  readonly parts: readonly (TextPart | ReasoningPart)[];
  readonly calls: readonly (Call & { readonly providerData?: ProviderData })[];
  /** Tokens of the request that it answers; absent where there was none. */
  readonly usage?: Usage;
}

export interface ToolMessage extends MessageBase {
  readonly role: 'tool';
  readonly callId: CallId;
  readonly providerCallId: string;
  readonly toolName: string;
  readonly outcome: Outcome;
}

/** A message in our own form. Providers' forms exist only at the model boundary. */
export type Message = UserMessage | AssistantMessage | ToolMessage;
