import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { encodeFrame } from './encode-frame.ts';
import { FrameError } from './frame-error.ts';
import { readFrames } from './frame-reader.ts';
import { createFrameWriter } from './frame-writer.ts';

describe('readFrames', () => {
  it('hands over one frame at a time, in order', async () => {
    const stream = Readable.from([Buffer.concat([1, 2, 3].map((n) => encodeFrame({ n })))]);
    const seen: string[] = [];
    await readFrames(stream, async (value) => {
      const { n } = value as { n: number };
      seen.push(`begin ${n}`);
      await Promise.resolve();
      seen.push(`end ${n}`);
    });
    expect(seen).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2', 'begin 3', 'end 3']);
  });

  it('does not read on while a frame is being handled', async () => {
    const stream = new PassThrough({ highWaterMark: 1_000 });
    const release = Promise.withResolvers<void>();
    const handling = Promise.withResolvers<void>();
    const read = readFrames(stream, async () => {
      handling.resolve();
      await release.promise;
    });
    stream.write(encodeFrame({ n: 0 }));
    await handling.promise;
    // A sender that goes on meets a full pipe.
    let accepted = 0;
    while (accepted < 10_000 && stream.write(encodeFrame({ n: 1, text: 'x'.repeat(100) }))) accepted += 1;
    expect(accepted).toBeLessThan(100);
    release.resolve();
    stream.end();
    await read;
  });

  it('rejects, with the stream destroyed, at the first malformed byte', async () => {
    const stream = new PassThrough();
    stream.write(Buffer.from('garbage'));
    await expect(readFrames(stream, () => {})).rejects.toBeInstanceOf(FrameError);
    expect(stream.destroyed).toBe(true);
  });

  it('rejects with what the handler throws', async () => {
    const stream = Readable.from([encodeFrame({})]);
    const fault = new Error('no');
    await expect(
      readFrames(stream, () => {
        throw fault;
      }),
    ).rejects.toBe(fault);
  });

  it('takes a stream that breaks as one that ends', async () => {
    const stream = new PassThrough();
    const seen: unknown[] = [];
    stream.write(encodeFrame({ n: 1 }));
    stream.write(encodeFrame({ n: 2 }).subarray(0, 6));
    const read = readFrames(stream, (value) => {
      seen.push(value);
      stream.destroy(new Error('ECONNRESET'));
    });
    await read;
    expect(seen).toEqual([{ n: 1 }]);
  });
});

describe('createFrameWriter', () => {
  it('swallows what is sent to a stream that is gone', async () => {
    const stream = new PassThrough();
    stream.destroy();
    await createFrameWriter(stream)({ type: 'ready' });
    expect(stream.readableLength).toBe(0);
  });
});
