import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ToolContext } from 'baigong';
import { expect, it } from 'vitest';
import tool from './index.ts';

it('asks the service that the configuration names', async () => {
  const urls: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    urls.push(request.url);
    response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { signal } = new AbortController();
    const context = { config: { weather: { baseUrl } }, locale: 'en', signal } as ToolContext<{
      readonly weather: { readonly baseUrl: string };
    }>;
    await expect(tool.execute({ city: 'Oslo' }, context)).rejects.toThrow('knows no city named "Oslo"');
    expect(urls).toEqual(['/Oslo?format=j1']);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
