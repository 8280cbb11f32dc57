import { Readable } from 'node:stream';
import zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readAnswerBody } from './read-answer-body.ts';

const MiB = 1024 * 1024;
const text = 'tea '.repeat(1_000);

async function read(bytes: Buffer, coding: string, limit = MiB): Promise<string> {
  const body = await readAnswerBody(Readable.from([bytes.subarray(0, 7), bytes.subarray(7)]), coding, limit);
  return body.ok ? body.bytes.toString() : body.reason;
}

describe('a compressed body', () => {
  it.each([
    ['gzip', zlib.gzipSync(text)],
    ['X-GZIP', zlib.gzipSync(text)],
    ['deflate', zlib.deflateSync(text)],
    ['deflate', zlib.deflateRawSync(text)],
    ['br', zlib.brotliCompressSync(text)],
    ['zstd', zlib.zstdCompressSync(text)],
    ['deflate, gzip', zlib.gzipSync(zlib.deflateSync(text))],
    ['', Buffer.from(text)],
    ['identity', Buffer.from(text)],
    ['unheard-of', Buffer.from(text)],
    ['gzip', zlib.gzipSync(text).subarray(0, -8)],
  ])('%s is read', async (coding, bytes) => {
    expect(await read(bytes, coding)).toBe(text);
  });

  it.each(['gzip', 'deflate', 'br', 'zstd'])('%s without a byte is an empty body', async (coding) => {
    expect(await read(Buffer.alloc(0), coding)).toBe('');
  });

  it.each([
    ['gzip', Buffer.from('not gzip at all')],
    ['br', Buffer.from('not brotli at all')],
    ['gzip, gzip, gzip, gzip', [1, 2, 3, 4].reduce((bytes) => zlib.gzipSync(bytes), Buffer.from(text))],
  ])('%s that is not what it says cannot be decoded', async (coding, bytes) => {
    expect(await read(bytes, coding)).toBe('undecodable');
  });

  it.each([
    ['gzip', () => zlib.gzipSync(Buffer.alloc(200 * MiB))],
    [
      'br',
      () => zlib.brotliCompressSync(Buffer.alloc(64 * MiB), { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }),
    ],
    ['gzip, gzip', () => zlib.gzipSync(zlib.gzipSync(Buffer.alloc(64 * MiB)))],
  ])('%s bomb is given up at the limit', async (coding, make) => {
    expect(await read(make(), coding)).toBe('too-large');
  });

  it.each(['', 'gzip'])('"%s" may be as large as the limit, and not a byte larger', async (coding) => {
    const whole = (length: number) => (coding === '' ? Buffer.alloc(length) : zlib.gzipSync(Buffer.alloc(length)));
    expect((await read(whole(1_000), coding, 1_000)).length).toBe(1_000);
    expect(await read(whole(1_001), coding, 1_000)).toBe('too-large');
  });
});
