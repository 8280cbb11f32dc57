/** A tool call in the conversation the client sent back. */
export interface ReceivedCall {
  readonly id: string;
  readonly name: string;
  /** The arguments as a value; undefined when OpenAI's argument text is no JSON. */
  readonly input: unknown;
  /** OpenAI: the argument text as received. Anthropic: the received value as JSON. */
  readonly rawInput: string;
}

export interface ReceivedResult {
  readonly callId: string;
  /** Name of the call it answers; undefined when the conversation has no such call. */
  readonly name: string | undefined;
  readonly text: string;
  /** Only Anthropic's format can say so. */
  readonly isError: boolean;
}

/**
 * One message, the same for both formats: OpenAI's tool messages in a row are one `tool` message, and so are the tool
 * results at the head of an Anthropic user message. Text parts are joined by line breaks; images and files are in
 * `body` only. A role the format does not know counts as `user`.
 */
export interface ReceivedMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly ReceivedCall[];
  readonly results: readonly ReceivedResult[];
}

export interface ReceivedTool {
  readonly name: string;
  readonly description: string;
  /** The JSON Schema of the arguments; undefined for a tool the provider defines itself. */
  readonly schema: unknown;
  /** Sent with Anthropic's defer-loading mark, so the model does not see it yet. */
  readonly deferred: boolean;
}

/** What a request says, whatever its format. */
export interface Conversation {
  readonly model: string;
  readonly streaming: boolean;
  /** The system messages before the first other message, joined by empty lines. Later ones stay in `messages`. */
  readonly system: string;
  readonly messages: readonly ReceivedMessage[];
  readonly tools: readonly ReceivedTool[];
  readonly toolNames: readonly string[];
}

/** What the server decided to answer. `position` is the place in the script, from 0. */
export type AnswerGiven =
  | { readonly kind: 'scripted'; readonly position: number }
  /** The script's own code, or `onRequest`, threw. */
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'none-left'; readonly status: number; readonly message: string }
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  | { readonly kind: 'models' };

/** How an exchange ended. `cut` is a scripted cut. */
export type ExchangeEnd = 'sent' | 'cut' | 'client-left' | 'server-closed';

/** One request exactly as it arrived, and the answer it was given. */
export interface ReceivedRequest extends Conversation {
  /** Place in `server.requests`, from 0. */
  readonly index: number;
  /** Milliseconds since 1970, when the head of the request arrived. */
  readonly arrivedAt: number;
  readonly method: string;
  /** With the query, if there is one. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text; empty when it was over the limit. */
  readonly bodyText: string;
  /** The parsed body; undefined when it is no JSON. */
  readonly body: unknown;
  /** undefined for a request that is no model call, such as `GET /models`. */
  readonly format: 'openai' | 'anthropic' | undefined;
  readonly answer: AnswerGiven;
  /** Resolves when the exchange is over; never rejects. */
  readonly ended: Promise<ExchangeEnd>;
}
