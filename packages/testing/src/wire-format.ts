import type { JsonRecord } from './json-value.ts';
import type { Conversation } from './received-request.ts';
import type { ResolvedAnswer } from './resolve-answer.ts';

/** Why a request cannot be served, in the terms both providers' error bodies need. */
export interface RequestProblem {
  readonly status: number;
  readonly message: string;
  /** Path of the offending field, for OpenAI's `param`. */
  readonly param?: string;
  /** OpenAI's `code`, where the status alone does not tell it. */
  readonly code?: string;
}

/** One provider's way to speak over HTTP. A further format is one more folder with this shape. */
export interface WireFormat {
  readonly name: 'openai' | 'anthropic';
  /** Path below the base URL. */
  readonly path: string;
  readonly requestIdHeader: string;
  readConversation(body: JsonRecord): Conversation;
  /** The first thing for which the provider itself would answer 400. */
  findProblem(body: JsonRecord): RequestProblem | undefined;
  /** SSE text, one string for each event. */
  streamEvents(answer: ResolvedAnswer, body: JsonRecord): string[];
  /** The body of a non-streaming answer. */
  wholeBody(answer: ResolvedAnswer): JsonRecord;
  errorBody(problem: RequestProblem): JsonRecord;
  modelList(models: readonly string[]): JsonRecord;
}
