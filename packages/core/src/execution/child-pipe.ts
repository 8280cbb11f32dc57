import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { ChildFrame, HostFrame } from '../contracts/frame.ts';
import { executionLimits } from './execution-limits.ts';
import { FrameTooLargeError } from './frame-too-large-error.ts';
import type { WriteFrame } from './frame-writer.ts';

// Taken before any code of authors runs, and called without a look at a prototype: what they patch, by mistake or not,
// neither changes what goes over the pipe nor shows them the ids in it.
const { bind, call } = Function.prototype;
const { parse, stringify } = JSON;
const { setPrototypeOf } = Object;
const { min } = Math;
const { byteLength } = Buffer;
const Bytes = Uint8Array;
const Later = Promise;
const TooDeepOrLong = RangeError;
const writeNow = writeSync;
const writeLater = uncurry<Socket, [bytes: Uint8Array, done: () => void], boolean>(Socket.prototype.write);
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encodeInto = uncurry(TextEncoder.prototype.encodeInto);
const decode = uncurry(TextDecoder.prototype.decode);
const copyInto = uncurry(Uint8Array.prototype.set);

const HEADER_BYTES = 4;
const CHUNK_BYTES = 64 * 1024;
/** What Node calls on a socket that is written to. */
const WRITING = ['write', '_write', '_writev', '_writeGeneric'] as const;

/**
 * The child's end of the pipe. A frame goes out before `send` returns wherever the pipe has room for it, so that it is
 * under way even if the code that runs next never lets go; otherwise the returned promise waits for room. Rejects with
 * `FrameTooLargeError`, and then nothing was sent. `onEnd` is called when the host is gone.
 *
 * @example
 * const send = openChildPipe(3, (frame) => session.handle(frame), () => process.exit());
 */
export function openChildPipe(
  fd: number,
  onFrame: (frame: HostFrame) => void,
  onEnd: () => void,
): WriteFrame<ChildFrame> {
  const buffer = new ArrayBuffer(CHUNK_BYTES);
  const chunk = new Bytes(buffer);
  const take = createFrameTaker(chunk, buffer, onFrame);
  // Given a buffer of ours, Node hands over what it reads by no event that others could listen to.
  const onread = {
    buffer: chunk,
    callback: (count: number) => {
      take(count);
      return true;
    },
  };
  const pipe = new Socket({ fd, readable: true, writable: true, onread });
  for (const name of WRITING) {
    Object.defineProperty(pipe, name, { value: (pipe as unknown as Record<string, unknown>)[name] });
  }
  pipe.on('error', () => {});
  pipe.on('close', onEnd);

  let waiting = 0;
  return async (frame) => {
    const bytes = encode(frame);
    let sent = 0;
    if (waiting === 0) {
      try {
        while (sent < bytes.length) sent += writeNow(fd, bytes.all, sent, bytes.length - sent);
      } catch (error) {
        // A pipe that broke swallows the rest: its reader learns of the end.
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      }
      if (sent === bytes.length) return;
    }
    waiting += 1;
    await new Later<void>((resolve) => {
      writeLater(pipe, new Bytes(bytes.buffer, sent), () => {
        waiting -= 1;
        resolve();
      });
    });
  };
}

interface Encoded {
  readonly buffer: ArrayBuffer;
  readonly all: Uint8Array;
  readonly length: number;
}

function encode(frame: ChildFrame): Encoded {
  const text = stringifyFrame(frame);
  const length = byteLength(text);
  if (length > executionLimits.frameBytes) throw new FrameTooLargeError();
  const buffer = new ArrayBuffer(HEADER_BYTES + length);
  const all = new Bytes(buffer);
  for (let index = 0; index < HEADER_BYTES; index += 1) all[index] = length >>> (8 * (HEADER_BYTES - 1 - index));
  encodeInto(encoder, text, new Bytes(buffer, HEADER_BYTES));
  return { buffer, all, length: HEADER_BYTES + length };
}

function stringifyFrame(frame: ChildFrame): string {
  try {
    // Without a prototype, so that no `toJSON` that was put on all objects is handed the frame.
    return stringify({ __proto__: null, ...frame });
  } catch (error) {
    if (error instanceof TooDeepOrLong) throw new FrameTooLargeError();
    throw error;
  }
}

/** Cuts what is read into `chunk` into frames. The host is trusted to keep to the form. */
function createFrameTaker(chunk: Uint8Array, buffer: ArrayBuffer, onFrame: (frame: HostFrame) => void) {
  let headerFilled = 0;
  let length = 0;
  let body: Uint8Array | undefined;
  let filled = 0;
  return (count: number): void => {
    for (let offset = 0; offset < count; ) {
      if (body === undefined) {
        length = length * 256 + (chunk[offset] ?? 0);
        offset += 1;
        headerFilled += 1;
        if (headerFilled < HEADER_BYTES) continue;
        body = new Bytes(length);
        filled = 0;
      } else {
        const taken = min(length - filled, count - offset);
        copyInto(body, new Bytes(buffer, offset, taken), filled);
        filled += taken;
        offset += taken;
      }
      if (filled < length) continue;
      const frame = setPrototypeOf(parse(decode(decoder, body)), null) as HostFrame;
      body = undefined;
      headerFilled = 0;
      length = 0;
      onFrame(frame);
    }
  };
}

/** The method as a function that takes its `this` first. */
function uncurry<This, Arguments extends unknown[], Result>(
  method: (this: This, ...values: Arguments) => Result,
): (self: This, ...values: Arguments) => Result {
  return bind.call(call, method) as (self: This, ...values: Arguments) => Result;
}
