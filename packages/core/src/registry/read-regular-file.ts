import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/**
 * The text of a regular file, without a byte order mark. Rejects with the system's error, and with the codes `EINVAL`
 * for anything but a regular file (a pipe or a device would hold the reader for good) and `EFBIG` for one that has
 * more than `atMost` bytes, also when it only became so after somebody looked.
 *
 * @example
 * await readRegularFile('/srv/bot/package.json', 1024 * 1024)
 */
export async function readRegularFile(path: string, atMost: number): Promise<string> {
  // Without O_NONBLOCK opening a pipe waits for a writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw fault('EINVAL', path);
    if (stats.size > atMost) throw fault('EFBIG', path);
    const buffer = Buffer.allocUnsafe(Math.max(stats.size, 4096) + 1);
    const chunks: Buffer[] = [];
    let total = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
      total += bytesRead;
      if (total > atMost) throw fault('EFBIG', path);
      chunks.push(Buffer.from(buffer.subarray(0, bytesRead)));
      // Of a regular file less than asked for is the rest.
      if (bytesRead < buffer.length) break;
    }
    return Buffer.concat(chunks)
      .toString('utf8')
      .replace(/^\uFEFF/, '');
  } finally {
    await file.close();
  }
}

function fault(code: string, path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}
