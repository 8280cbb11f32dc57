import { executionLimits } from './execution-limits.ts';
import { FrameTooLargeError } from './frame-too-large-error.ts';

/**
 * The bytes of one frame: 4 bytes of length (big endian) and that many bytes of UTF-8 JSON.
 * Throws {@link FrameTooLargeError} beyond 16 MiB. Lone surrogates travel as JSON escapes.
 *
 * @example
 * encodeFrame({ type: 'ready' })
 */
export function encodeFrame(value: object): Buffer {
  const text = stringify(value);
  const length = Buffer.byteLength(text);
  if (length > executionLimits.frameBytes) throw new FrameTooLargeError();
  const frame = Buffer.allocUnsafe(4 + length);
  frame.writeUInt32BE(length, 0);
  frame.write(text, 4);
  return frame;
}

function stringify(value: object): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // Longer than any string can be, or deeper than the stack.
    if (error instanceof RangeError) throw new FrameTooLargeError();
    throw error;
  }
}
