import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeFrame } from './encode-frame.ts';
import { executionLimits } from './execution-limits.ts';
import { FrameDecoder } from './frame-decoder.ts';
import { FrameError } from './frame-error.ts';
import { FrameTooLargeError } from './frame-too-large-error.ts';

function header(length: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  return bytes;
}

function decodeAll(bytes: Uint8Array, cuts: readonly number[]): unknown[] {
  const decoder = new FrameDecoder();
  const values: unknown[] = [];
  const edges = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b);
  for (const [index, start] of edges.entries()) {
    for (const frame of decoder.push(bytes.subarray(start, edges[index + 1]))) values.push(frame.value);
  }
  return values;
}

/** Any string of UTF-16 units, lone surrogates included. */
const anyString = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) });

describe('frames', () => {
  it('come back as they were sent, however the bytes are chunked', () => {
    const frames = fc.array(fc.record({ value: fc.oneof(fc.jsonValue({ noUnicodeString: false }), anyString) }), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(frames, fc.array(fc.nat(), { maxLength: 20 }), (values, cuts) => {
        const bytes = Buffer.concat(values.map((value) => encodeFrame(value)));
        // Through JSON, which has no -0.
        expect(decodeAll(bytes, cuts)).toEqual(JSON.parse(JSON.stringify(values)));
      }),
    );
  });

  it('come back whole when they arrive byte by byte and exceed every buffer', () => {
    const value = { text: '百'.repeat(100_000) };
    const bytes = encodeFrame(value);
    const cuts = Array.from({ length: 2_000 }, (_, index) => index * 97);
    expect(decodeAll(bytes, cuts)).toEqual([value]);
  });

  it('carry their size', () => {
    const [frame] = [...new FrameDecoder().push(encodeFrame({ a: '百' }))];
    expect(frame).toEqual({ value: { a: '百' }, bytes: 11 });
  });

  it.each([
    ['no bytes', header(0)],
    ['more than the limit', header(executionLimits.frameBytes + 1)],
    ['the largest length there is', header(0xffffffff)],
    ['ASCII text in place of a length', Buffer.from('GET / HTTP/1.1')],
    ['invalid UTF-8', Buffer.concat([header(4), Buffer.from([0x22, 0xc3, 0x28, 0x22])])],
    ['a UTF-8 form of a lone surrogate', Buffer.concat([header(5), Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])])],
    ['a byte order mark', Buffer.concat([header(5), Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d])])],
    ['cut JSON', Buffer.concat([header(2), Buffer.from('{"')])],
    ['two values', Buffer.concat([header(5), Buffer.from('{} {}')])],
  ])('that announce or hold %s are an error', (_name, bytes) => {
    expect(() => [...new FrameDecoder().push(bytes)]).toThrow(FrameError);
  });

  it('that never arrive whole cost no memory for what they announce', () => {
    const decoder = new FrameDecoder();
    const before = process.memoryUsage().arrayBuffers;
    const decoders = Array.from({ length: 50 }, () => {
      const one = new FrameDecoder();
      return [...one.push(Buffer.concat([header(executionLimits.frameBytes), Buffer.from('"')]))].length;
    });
    expect([...decoder.push(header(executionLimits.frameBytes))]).toEqual([]);
    expect(decoders).toEqual(new Array(50).fill(0));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(executionLimits.frameBytes);
  });

  it('of the largest size pass, one byte more is refused by the sender', () => {
    const room = executionLimits.frameBytes - '{"t":""}'.length;
    expect(decodeAll(encodeFrame({ t: 'x'.repeat(room) }), [])).toHaveLength(1);
    expect(() => encodeFrame({ t: 'x'.repeat(room + 1) })).toThrow(FrameTooLargeError);
  });

  it('that JSON.stringify cannot write are refused as too large', () => {
    let value: unknown = 0;
    for (let level = 0; level < 100_000; level += 1) value = [value];
    expect(() => encodeFrame({ value })).toThrow(FrameTooLargeError);
  });
});
