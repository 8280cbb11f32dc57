import type { Readable } from 'node:stream';
import { FrameDecoder } from './frame-decoder.ts';

/**
 * Hands each frame of a stream to `handle`, one at a time: nothing is read while one is being handled, so a sender
 * cannot fill the memory of a slow reader. Resolves at the end of the stream, a frame cut off by it being dropped.
 * Rejects, with the stream destroyed, with `FrameError` for malformed bytes and with whatever `handle` throws.
 *
 * @example
 * await readFrames(pipe, async (value) => { … });
 */
export async function readFrames(
  stream: Readable,
  handle: (value: unknown, bytes: number) => void | Promise<void>,
): Promise<void> {
  const decoder = new FrameDecoder();
  const chunks = stream[Symbol.asyncIterator]();
  try {
    for (;;) {
      const step = await next(chunks);
      if (step === undefined) break;
      for (const frame of decoder.push(step)) {
        const handled = handle(frame.value, frame.bytes);
        if (handled !== undefined) await handled;
      }
    }
  } finally {
    stream.destroy();
  }
}

/** A pipe whose other end died may fail instead of ending; to a reader both are the end. */
async function next(chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array | undefined> {
  try {
    const step = await chunks.next();
    return step.done === true ? undefined : step.value;
  } catch {
    return undefined;
  }
}
