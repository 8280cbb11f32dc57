import { isIP, type LookupFunction } from 'node:net';
import type { Client, Dispatcher } from 'undici';

export interface PinnedRequest {
  readonly url: URL;
  /** The only addresses that may be contacted, already judged. */
  readonly addresses: readonly string[];
  readonly method: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer | undefined;
}

/** An answer whose body is still to be read. */
export interface PinnedAnswer {
  readonly status: number;
  readonly statusText: string;
  /** One character per byte. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: AsyncIterable<Uint8Array>;
  /** Ends the connection, whatever is left to read. */
  close(): Promise<void>;
}

/** Bytes of the header block of an answer. */
const ANSWER_HEADER_BYTES = 64 * 1024;

/**
 * Sends one request over a connection of its own to one of the given addresses and to no other: the resolver is not
 * asked again, no proxy of the environment is used, and nothing is kept for later requests, whose addresses may be
 * judged otherwise. Follows nothing, decompresses nothing, has no time limit but the signal.
 *
 * Rejects when no answer comes.
 */
export async function sendPinned(request: PinnedRequest, signal: AbortSignal): Promise<PinnedAnswer> {
  const { Client } = await import('undici');
  const { url } = request;
  const client: Client = new Client(url.origin, {
    connect: { lookup: answerWith(request.addresses), timeout: 0 },
    autoSelectFamily: true,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: ANSWER_HEADER_BYTES,
  });
  const close = async () => client.destroy();
  try {
    const answer = await client.request({
      path: `${url.pathname}${url.search}`,
      method: request.method as Dispatcher.HttpMethod,
      headers: request.headers.flat(),
      body: request.body ?? null,
      signal,
      reset: true,
    });
    return {
      status: answer.statusCode,
      statusText: answer.statusText,
      headers: Object.entries(answer.headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((one) => [name, one] as const),
      ),
      body: answer.body,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Node asks it for names; it never asks for address literals, which stand in the URL as they were judged. */
function answerWith(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (hostname, options, callback) => {
    const [first] = found;
    if (first === undefined) callback(new Error(hostname), '', 0);
    else if (options.all === true) callback(null, found);
    else callback(null, first.address, first.family);
  };
}
