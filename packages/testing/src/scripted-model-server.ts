import type { ScriptedAnswer } from './answer.ts';
import type { ReceivedRequest } from './received-request.ts';

export interface ScriptedModelOptions {
  readonly answers?: readonly ScriptedAnswer[];
  /** Default 0: any free port. The address is always 127.0.0.1. */
  readonly port?: number;
  /** Called for each request when its answer is chosen, before the answer is sent. */
  readonly onRequest?: (request: ReceivedRequest) => void;
  /** Answers requests which the real provider would refuse with status 400, instead of refusing them too. */
  readonly lenient?: boolean;
}

export interface ScriptedModelServer extends AsyncDisposable {
  /** `http://127.0.0.1:PORT/v1`, the base URL for OpenAI and Anthropic clients of the AI SDK alike. */
  readonly baseUrl: string;
  /** All that arrived, in order, and grows as it does; model calls are those with a `format`. */
  readonly requests: readonly ReceivedRequest[];
  /** Positions of the answers no request has been given yet. */
  readonly unusedAnswers: readonly number[];
  /** Appends answers to the script. */
  add(...answers: ScriptedAnswer[]): void;
  /** The first `count` requests as soon as there are that many. Rejects when the server closes before. */
  waitForRequests(count: number): Promise<readonly ReceivedRequest[]>;
  /** Ends every open exchange and frees the port. */
  close(): Promise<void>;
}
