import type { Writable } from 'node:stream';
import { encodeFrame } from './encode-frame.ts';

/** Sends one frame. Resolves when the other side may be sent more. */
export type WriteFrame<Frame extends object> = (frame: Frame) => Promise<void>;

/**
 * A sender of frames over a stream. It rejects with `FrameTooLargeError` for a frame that is too large (nothing is
 * sent then); a stream that broke swallows the rest silently, since its reader learns of the end.
 *
 * @example
 * const write = createFrameWriter<HostFrame>(pipe);
 * await write({ type: 'cancel', id: 1, reason: 'timeout' });
 */
export function createFrameWriter<Frame extends object>(stream: Writable): WriteFrame<Frame> {
  return async (frame) => {
    const bytes = encodeFrame(frame);
    if (stream.destroyed || stream.writableEnded) return;
    await new Promise<void>((resolve) => {
      stream.write(bytes, () => resolve());
    });
  };
}
