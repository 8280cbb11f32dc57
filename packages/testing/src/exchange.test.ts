import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Exchange } from './exchange.ts';

let server: Server;

beforeEach(async () => {
  server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
});

afterEach(() => void server.close());

/** One exchange with a client that has sent its request. */
async function open() {
  const leaving = new AbortController();
  const { port } = server.address() as AddressInfo;
  const asked = fetch(`http://127.0.0.1:${port}`, { signal: leaving.signal }).then(
    (response) => response.text(),
    (error: unknown) => error,
  );
  const [, response] = await once(server, 'request');
  return { exchange: new Exchange(response), leaving, asked };
}

it('is sent when the response has left', async () => {
  const { exchange, asked } = await open();
  expect(exchange.signal.aborted).toBe(false);
  exchange.response.end('hello');
  expect(await asked).toBe('hello');
  expect(await exchange.ended).toBe('sent');
  expect(exchange.signal.aborted).toBe(true);
});

it('ends with the client, and survives what is written after that', async () => {
  const { exchange, leaving, asked } = await open();
  leaving.abort();
  expect(await exchange.ended).toBe('client-left');
  expect(exchange.signal.aborted).toBe(true);
  exchange.response.write('nobody reads this');
  exchange.response.end();
  expect(await asked).toMatchObject({ name: 'AbortError' });
});

it('stays what it was when the server closes later', async () => {
  const { exchange, asked } = await open();
  exchange.response.end();
  await asked;
  exchange.close();
  expect(await exchange.ended).toBe('sent');
});

it('ends with the server', async () => {
  const { exchange, asked } = await open();
  exchange.close();
  expect(await exchange.ended).toBe('server-closed');
  expect(await asked).toMatchObject({ message: 'fetch failed' });
});
