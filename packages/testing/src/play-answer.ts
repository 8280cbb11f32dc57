import { once } from 'node:events';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, ScriptedError } from './answer.ts';
import type { Exchange } from './exchange.ts';
import type { IdSequence } from './id-sequence.ts';
import { isRecord } from './json-value.ts';
import type { ReceivedRequest } from './received-request.ts';
import { resolveAnswer } from './resolve-answer.ts';
import type { WireFormat } from './wire-format.ts';

interface Performance {
  readonly answer: Answer;
  readonly format: WireFormat;
  readonly request: ReceivedRequest;
  readonly ids: IdSequence;
  readonly exchange: Exchange;
}

/** Writes an answer. Rejects with the signal's reason when a side closes first. */
export async function playAnswer({ answer, format, request, ids, exchange }: Performance): Promise<void> {
  const { signal, response } = exchange;
  if (answer.hang === true) return silence(signal);
  const body = isRecord(request.body) ? request.body : {};
  const pause = () => delay(answer.delayMs ?? 0, undefined, { signal });
  if (answer.delayMs !== undefined) await pause();

  if (answer.error !== undefined) {
    sendError(response, answer.error, format);
    return;
  }
  const resolved = resolveAnswer(answer, request, ids);
  const hasRawEvents = answer.rawEvents !== undefined;
  if (!request.streaming && !hasRawEvents) {
    const text = JSON.stringify(format.wholeBody(resolved));
    return sendWhole(text, answer, exchange);
  }
  const events = hasRawEvents ? [answer.rawEvents].flat() : format.streamEvents(resolved, body);
  const { hang, cut } = answer;
  const cutAt = cut === true ? Math.max(1, Math.floor(events.length / 2)) : cut;
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  response.flushHeaders();
  for (const [index, event] of events.entries()) {
    if (cutAt === index) return exchange.cut();
    if (hang === index) return silence(signal);
    if (index > 0 && answer.delayMs !== undefined) await pause();
    await write(response, event, signal);
  }
  if (typeof cutAt === 'number') return exchange.cut();
  if (typeof hang === 'number') return silence(signal);
  response.end();
}

async function sendWhole(text: string, { hang, cut }: Answer, exchange: Exchange): Promise<void> {
  const { response, signal } = exchange;
  const bytes = Buffer.from(text);
  const stopsShort = cut === true || typeof cut === 'number' || typeof hang === 'number';
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length });
  if (!stopsShort) {
    response.end(bytes);
    return;
  }
  await write(response, bytes.subarray(0, bytes.length / 2), signal);
  return typeof hang === 'number' ? silence(signal) : exchange.cut();
}

function sendError(response: ServerResponse, error: ScriptedError, format: WireFormat): void {
  const { status, message = `Scripted error with status ${status}.` } = error;
  const body = error.body === undefined ? format.errorBody({ status, message }) : error.body;
  const isText = typeof body === 'string';
  const headers: OutgoingHttpHeaders = {
    'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json',
    ...error.headers,
  };
  response.writeHead(status, headers).end(isText ? body : JSON.stringify(body));
}

async function write(response: ServerResponse, piece: string | Uint8Array, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (!response.write(piece)) await once(response, 'drain', { signal });
}

async function silence(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
