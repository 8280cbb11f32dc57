import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readBody } from './read-body.ts';

let server: Server;

beforeEach(async () => {
  server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
});

afterEach(() => void server.closeAllConnections());

/** A request whose head has arrived, and the client's side of it. */
async function open(headers: Record<string, string> = {}) {
  const { port } = server.address() as AddressInfo;
  const client = httpRequest({ port, host: '127.0.0.1', method: 'POST', headers });
  client.on('error', () => undefined);
  client.flushHeaders();
  const [incoming] = (await once(server, 'request')) as [IncomingMessage];
  return { client, incoming };
}

it.each([
  ['', 4, ''],
  ['abcd', 4, 'abcd'],
  ['abcde', 4, undefined],
])('%j with a limit of %d bytes', async (body, limit, expected) => {
  const { client, incoming } = await open();
  client.end(body);
  expect((await readBody(incoming, limit))?.toString()).toBe(expected);
});

it('does not wait for a body that is announced to be too large', async () => {
  const { incoming } = await open({ 'content-length': '5' });
  expect(await readBody(incoming, 4)).toBeUndefined();
});

it('does not wait for the end of a body that is already too large', async () => {
  const { client, incoming } = await open();
  client.write('abcde');
  expect(await readBody(incoming, 4)).toBeUndefined();
});

it('rejects when the client leaves before the end', async () => {
  const { client, incoming } = await open();
  const body = readBody(incoming, 4);
  client.write('ab', () => client.destroy());
  await expect(body).rejects.toMatchObject({ code: 'ECONNRESET' });
});
