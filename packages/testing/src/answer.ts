import type { ReceivedRequest } from './received-request.ts';

/** One tool call the model makes. Give `input`, or `rawInput` for arguments no serialiser would write. */
export interface ScriptedCall {
  readonly name: string;
  /** Serialised by the server with `JSON.stringify`. Without `input` and `rawInput` the arguments are `{}`. */
  readonly input?: object;
  /**
   * Sent verbatim, so it may be malformed. A non-streaming Anthropic answer carries the arguments as a JSON value: there
   * a text that is no JSON arrives as a JSON string.
   */
  readonly rawInput?: string;
  /** Default: `call_1`, `call_2`, … (OpenAI) or `toolu_1`, … (Anthropic), skipping ids the conversation already has. */
  readonly id?: string;
}

/** Tokens to report. `inputTokens` is the total, cache included, as in OpenAI's format. */
export interface ScriptedUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cachedInputTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly reasoningTokens?: number;
}

/** An HTTP error instead of an answer. Without `body` it has the shape the provider gives its errors. */
export interface ScriptedError {
  readonly status: number;
  readonly message?: string;
  /** A string is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the model says, and how the wire behaves while it says it. */
export interface Answer {
  readonly text?: string;
  /** OpenAI: `reasoning_content`. Anthropic: a thinking block with a signature. Sent before the text. */
  readonly reasoning?: string;
  /** Sent after the text, in this order, as parallel calls of one answer. */
  readonly calls?: readonly ScriptedCall[];
  /**
   * `stop`, `length`, `tool-calls` and `content-filter` become the provider's own word; any other word is sent as it is.
   * Default: `tool-calls` when there are calls, else `stop`.
   */
  readonly finishReason?: string;
  /** Default: one token for four characters of the request body and of the answer. */
  readonly usage?: ScriptedUsage;
  /** Longest delta in UTF-16 code units (default 8). A surrogate pair is never cut. */
  readonly chunkSize?: number;
  /** Milliseconds to wait before the answer and between its events. */
  readonly delayMs?: number;
  readonly error?: ScriptedError;
  /** `true`: not even a header is sent. A number: silence after that many events (half a non-streaming body). */
  readonly hang?: boolean | number;
  /** Drops the connection: after that many events, or half-way for `true` and for a non-streaming answer. */
  readonly cut?: boolean | number;
  /** SSE text sent verbatim, one write for each string, in place of the events of this answer. */
  readonly rawEvents?: string | readonly string[];
}

/** Which requests an answer is for. All that is given must fit; a string fits as a substring. */
export interface When {
  /** Text of the last user message, tool results after it or not. */
  readonly lastUser?: string | RegExp;
  /** Who spoke last: a person, or a tool with its results. */
  readonly lastRole?: 'user' | 'tool';
  /** Text of one of the results that came after the last assistant message. */
  readonly toolResultContains?: string | RegExp;
  /** Name of a tool that must be offered in the request. */
  readonly tool?: string;
  /** The system text, which tells the conversations of different agents apart. */
  readonly system?: string | RegExp;
}

/** How an answer is chosen: the first in order that is unused (or repeats) and whose `when` fits. */
export interface Selection {
  readonly when?: When;
  /** May be given any number of times. */
  readonly repeat?: boolean;
}

/** Computes an answer; it may wait, which lets a test decide when the model answers. */
export type AnswerFunction = (request: ReceivedRequest) => Answer | Promise<Answer>;

/** One entry of a script: an answer, or a function that computes it, bare or with a selection. */
export type ScriptedAnswer =
  | AnswerFunction
  | (Answer & Selection & { readonly reply?: never })
  | (Selection & { readonly reply: AnswerFunction });
