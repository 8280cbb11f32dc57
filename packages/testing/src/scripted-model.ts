import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Answer, ScriptedAnswer } from './answer.ts';
import { AnswerScript } from './answer-script.ts';
import { Exchange } from './exchange.ts';
import { findRoute, type Route } from './find-route.ts';
import { IdSequence } from './id-sequence.ts';
import { isRecord } from './json-value.ts';
import { playAnswer } from './play-answer.ts';
import { readBody } from './read-body.ts';
import { type ArrivedRequest, receiveRequest } from './receive-request.ts';
import type { AnswerGiven, ReceivedRequest } from './received-request.ts';
import type { ScriptedModelOptions, ScriptedModelServer } from './scripted-model-server.ts';
import type { RequestProblem, WireFormat } from './wire-format.ts';

const maxBodyBytes = 64 * 1024 * 1024;
const basePath = '/v1';

/** A request whose answer may still turn out to fail; handed out as read-only. */
type OpenRequest = Omit<ReceivedRequest, 'answer'> & { answer: AnswerGiven };

/** What a request gets: a scripted answer, a refusal, or without either the list of models. */
interface Decision {
  readonly answer: AnswerGiven;
  readonly scripted?: ScriptedAnswer;
  readonly problem?: RequestProblem;
}

/** The server behind `startScriptedModel`. */
export class ScriptedModel implements ScriptedModelServer {
  readonly #http: Server;
  readonly #options: ScriptedModelOptions;
  readonly #script = new AnswerScript();
  readonly #ids = new IdSequence();
  readonly #requests: OpenRequest[] = [];
  readonly #exchanges = new Set<Exchange>();
  readonly #waiting = new Set<{ count: number; resolve: () => void; reject: (error: Error) => void }>();
  #port = 0;
  #closing: Promise<void> | undefined;

  constructor(http: Server, options: ScriptedModelOptions) {
    this.#http = http;
    this.#options = options;
    this.#script.add(options.answers ?? []);
    http.on('request', (incoming, response) => void this.#serve(incoming, response));
    http.once('listening', () => {
      this.#port = (http.address() as AddressInfo).port;
    });
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.#port}${basePath}`;
  }

  get requests(): readonly ReceivedRequest[] {
    return this.#requests;
  }

  get unusedAnswers(): readonly number[] {
    return this.#script.unused;
  }

  add(...answers: ScriptedAnswer[]): void {
    this.#script.add(answers);
  }

  async waitForRequests(count: number): Promise<readonly ReceivedRequest[]> {
    if (this.#requests.length < count) {
      if (this.#closing !== undefined) throw this.#closedBefore(count);
      await new Promise<void>((resolve, reject) => this.#waiting.add({ count, resolve, reject }));
    }
    return this.#requests.slice(0, count);
  }

  close(): Promise<void> {
    this.#closing ??= new Promise((resolve) => {
      this.#http.close(() => resolve());
      for (const exchange of this.#exchanges) exchange.close();
      this.#http.closeAllConnections();
      for (const { count, reject } of this.#waiting) reject(this.#closedBefore(count));
      this.#waiting.clear();
    });
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Never rejects: what goes wrong here is answered, or ends the connection. */
  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const exchange = new Exchange(response);
    this.#exchanges.add(exchange);
    void exchange.ended.then(() => this.#exchanges.delete(exchange));
    const route = findRoute(incoming, basePath);
    let request: OpenRequest | undefined;
    try {
      const bytes = await readBody(incoming, maxBodyBytes);
      const arrived = receiveRequest(incoming, bytes, route.format, exchange);
      // From here to the record nothing waits, so requests get their answers in the order in which they are kept.
      const decision = this.#decide(arrived, route, bytes === undefined);
      request = { index: this.#requests.length, ...arrived, answer: decision.answer };
      response.setHeader(route.spoken.requestIdHeader, `req_${request.index + 1}`);
      this.#record(request);
      this.#options.onRequest?.(request);
      await this.#send(decision, request, route.spoken, exchange);
    } catch (error) {
      // The client left or the server closes: there is nobody to tell.
      if (exchange.signal.aborted) return;
      // A mistake in the script's or the test's own code must be seen by whoever waits for the answer.
      const message = `The scripted model failed: ${error instanceof Error ? error.message : String(error)}`;
      if (request !== undefined) request.answer = { kind: 'failed', message };
      if (response.headersSent) response.destroy();
      else sendProblem({ status: 400, message }, route.spoken, response);
    }
  }

  #decide(arrived: ArrivedRequest, route: Route, isTooLarge: boolean): Decision {
    const problem = isTooLarge
      ? { status: 413, message: `The request body is over ${maxBodyBytes} bytes.` }
      : (route.problem ?? this.#findBodyProblem(arrived, route));
    if (problem !== undefined) {
      return { answer: { kind: 'refused', status: problem.status, message: problem.message }, problem };
    }
    if (route.isModelList) return { answer: { kind: 'models' } };
    const taken = this.#script.take(arrived);
    if (taken !== undefined) {
      return { answer: { kind: 'scripted', position: taken.position }, scripted: taken.answer };
    }
    // 400, because clients repeat a request on 5xx, and here they could only wait in vain.
    const status = 400;
    const message = `The scripted model has no answer for request ${this.#requests.length}. ${this.#script.explain(arrived)}`;
    return { answer: { kind: 'none-left', status, message }, problem: { status, message } };
  }

  #findBodyProblem({ body }: ArrivedRequest, { format }: Route): RequestProblem | undefined {
    if (format === undefined) return undefined;
    if (!isRecord(body)) return { status: 400, message: 'The request body is no JSON object in UTF-8.' };
    return this.#options.lenient === true ? undefined : format.findProblem(body);
  }

  #record(request: OpenRequest): void {
    this.#requests.push(request);
    for (const waiting of this.#waiting) {
      if (this.#requests.length < waiting.count) continue;
      this.#waiting.delete(waiting);
      waiting.resolve();
    }
  }

  async #send(decision: Decision, request: ReceivedRequest, format: WireFormat, exchange: Exchange): Promise<void> {
    const { scripted, problem } = decision;
    if (scripted !== undefined) {
      const answer = await computeAnswer(scripted, request);
      await playAnswer({ answer, format, request, ids: this.#ids, exchange });
    } else if (problem !== undefined) sendProblem(problem, format, exchange.response);
    else sendJson(200, format.modelList(['scripted']), exchange.response);
  }

  #closedBefore(count: number): Error {
    return new Error(`The scripted model closed after ${this.#requests.length} requests; ${count} were waited for.`);
  }
}

async function computeAnswer(scripted: ScriptedAnswer, request: ReceivedRequest): Promise<Answer> {
  if (typeof scripted === 'object' && scripted.reply === undefined) return scripted;
  const answer: unknown = await (typeof scripted === 'function' ? scripted : scripted.reply)(request);
  if (!isRecord(answer)) throw new TypeError('the function of an answer returned no object.');
  return answer;
}

function sendProblem(problem: RequestProblem, format: WireFormat, response: ServerResponse): void {
  // The vendors' own clients obey this header; it keeps them from repeating what cannot succeed.
  response.setHeader('x-should-retry', 'false');
  sendJson(problem.status, format.errorBody(problem), response);
}

function sendJson(status: number, body: object, response: ServerResponse): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
