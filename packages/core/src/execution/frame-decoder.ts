import { executionLimits } from './execution-limits.ts';
import { FrameError } from './frame-error.ts';

export interface DecodedFrame {
  readonly value: unknown;
  /** Of the JSON text. */
  readonly bytes: number;
}

const HEADER_BYTES = 4;
const FIRST_BODY_BYTES = 64 * 1024;

/**
 * Cuts a stream of bytes, however it is chunked, into frames and parses them.
 * Holds at most twice the bytes that really arrived, whatever length a frame claims.
 */
export class FrameDecoder {
  readonly #text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #header = Buffer.alloc(HEADER_BYTES);
  #headerFilled = 0;
  #body: Buffer | undefined;
  #bodyFilled = 0;
  #length = 0;

  /** The frames that the chunk completes, each decoded when it is asked for. Throws {@link FrameError}. */
  *push(chunk: Uint8Array): Generator<DecodedFrame, void> {
    let offset = 0;
    while (offset < chunk.length) {
      if (this.#body === undefined) {
        offset += this.#fillHeader(chunk, offset);
        if (this.#headerFilled < HEADER_BYTES) return;
        this.#open();
      } else {
        offset += this.#fillBody(this.#body, chunk, offset);
      }
      if (this.#bodyFilled === this.#length) yield this.#close();
    }
  }

  #fillHeader(chunk: Uint8Array, offset: number): number {
    const taken = chunk.subarray(offset, offset + HEADER_BYTES - this.#headerFilled);
    this.#header.set(taken, this.#headerFilled);
    this.#headerFilled += taken.length;
    return taken.length;
  }

  #open(): void {
    this.#length = this.#header.readUInt32BE(0);
    if (this.#length > executionLimits.frameBytes) {
      throw new FrameError(`a frame of ${this.#length} bytes was announced`);
    }
    this.#body = Buffer.allocUnsafe(Math.min(this.#length, FIRST_BODY_BYTES));
    this.#bodyFilled = 0;
  }

  #fillBody(body: Buffer, chunk: Uint8Array, offset: number): number {
    const taken = chunk.subarray(offset, offset + this.#length - this.#bodyFilled);
    const needed = this.#bodyFilled + taken.length;
    let target = body;
    if (needed > body.length) {
      target = Buffer.allocUnsafe(Math.min(this.#length, Math.max(needed, body.length * 2)));
      target.set(body.subarray(0, this.#bodyFilled));
      this.#body = target;
    }
    target.set(taken, this.#bodyFilled);
    this.#bodyFilled = needed;
    return taken.length;
  }

  #close(): DecodedFrame {
    const body = (this.#body ?? Buffer.alloc(0)).subarray(0, this.#length);
    this.#body = undefined;
    this.#headerFilled = 0;
    this.#bodyFilled = 0;
    return { value: parse(this.#text, body), bytes: body.length };
  }
}

function parse(decoder: Pick<InstanceType<typeof TextDecoder>, 'decode'>, body: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(body));
  } catch (error) {
    throw new FrameError(`a frame is not UTF-8 JSON: ${error instanceof Error ? error.message.slice(0, 200) : error}`);
  }
}
