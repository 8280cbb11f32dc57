import type { IncomingMessage } from 'node:http';
import { decodeBody } from './decode-body.ts';
import type { Exchange } from './exchange.ts';
import { isRecord } from './json-value.ts';
import type { Conversation, ReceivedRequest } from './received-request.ts';
import type { WireFormat } from './wire-format.ts';

/** What arrived, before anything is decided about it. */
export type ArrivedRequest = Omit<ReceivedRequest, 'index' | 'answer'>;

const noConversation: Conversation = {
  model: '',
  streaming: false,
  system: '',
  messages: [],
  tools: [],
  toolNames: [],
};

/** Puts down a request as it arrived, and what it says in its format. `bytes` is undefined for a body over the limit. */
export function receiveRequest(
  incoming: IncomingMessage,
  bytes: Buffer | undefined,
  format: WireFormat | undefined,
  exchange: Exchange,
): ArrivedRequest {
  const { text, json } = decodeBody(bytes ?? Buffer.alloc(0));
  const headers = Object.entries(incoming.headersDistinct).map(([name, values = []]) => [name, values.join(', ')]);
  return {
    arrivedAt: exchange.startedAt,
    method: incoming.method ?? '',
    path: incoming.url ?? '/',
    headers: Object.fromEntries(headers),
    bodyText: text,
    body: json,
    format: format?.name,
    ...(format !== undefined && isRecord(json) ? format.readConversation(json) : noConversation),
    ended: exchange.ended,
  };
}
