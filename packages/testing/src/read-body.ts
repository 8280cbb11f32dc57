import type { IncomingMessage } from 'node:http';

/**
 * The whole body, or undefined as soon as it is known to be over `limit` bytes; the rest is then read and dropped, so
 * that the client gets to see the refusal. Rejects when the client leaves before the end.
 */
export function readBody(incoming: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      resolve(undefined);
    });
    incoming.on('end', () => resolve(Buffer.concat(chunks)));
    incoming.on('error', reject);
    if (Number(incoming.headers['content-length'] ?? 0) > limit) resolve(undefined);
  });
}
