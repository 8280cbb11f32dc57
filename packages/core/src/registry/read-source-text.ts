import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { type FileStamp, fileStamp } from './file-stamp.ts';
import { isSettled } from './is-settled.ts';

export interface SourceText {
  /** Without a byte order mark. */
  readonly text: string;
  /** Taken before the first byte was read: a save during the reading gives another one. */
  readonly stamp: FileStamp;
  /** Is a later save sure to change the stamp? */
  readonly settled: boolean;
}

/**
 * Reads a regular file at once. Throws the system's error, and with the codes `EINVAL` for anything but a regular file
 * (a pipe or a device would hold the reader for good) and `EFBIG` for one that has more than `atMost` bytes, also when
 * it only became so after somebody looked. Synchronous on purpose: for hundreds of small files that costs a fifth.
 *
 * @example
 * const { text } = readSourceText('/srv/bot/package.json', 1024 * 1024);
 */
export function readSourceText(path: string, atMost: number): SourceText {
  // Without O_NONBLOCK opening a pipe waits for a writer.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file, { bigint: true });
    if (!stats.isFile()) throw fault('EINVAL', path);
    if (stats.size > atMost) throw fault('EFBIG', path);
    const settled = isSettled(stats, Date.now());
    const chunks: Buffer[] = [];
    let total = 0;
    for (;;) {
      const buffer = Buffer.allocUnsafe(total === 0 ? Number(stats.size) + 1 : 65_536);
      const bytesRead = readSync(file, buffer, 0, buffer.length, null);
      total += bytesRead;
      if (total > atMost) throw fault('EFBIG', path);
      chunks.push(buffer.subarray(0, bytesRead));
      // Of a regular file less than asked for is the rest.
      if (bytesRead < buffer.length) break;
    }
    const [first] = chunks;
    const bytes = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
    return { text: bytes.toString('utf8').replace(/^\uFEFF/, ''), stamp: fileStamp(stats), settled };
  } finally {
    closeSync(file);
  }
}

function fault(code: string, path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}
