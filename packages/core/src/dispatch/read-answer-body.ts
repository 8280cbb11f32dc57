import { promisify } from 'node:util';
import zlib from 'node:zlib';

export type AnswerBody =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly reason: 'too-large' }
  | { readonly ok: false; readonly reason: 'undecodable'; readonly coding: string };

/** More than this many layers nobody means seriously. */
const MOST_CODINGS = 3;

/**
 * Reads a body to its end and undoes its `Content-Encoding`, holding at no moment more than `limit` bytes of either
 * form. A coding that is not known leaves the bytes as they are, as the Fetch standard says.
 *
 * Rejects when the stream does.
 */
export async function readAnswerBody(
  stream: AsyncIterable<Uint8Array>,
  contentEncoding: string,
  limit: number,
): Promise<AnswerBody> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > limit) return { ok: false, reason: 'too-large' };
    chunks.push(chunk);
  }
  let bytes: Buffer = Buffer.concat(chunks, length);
  const codings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length > MOST_CODINGS) return { ok: false, reason: 'undecodable', coding: contentEncoding };
  for (const coding of codings.reverse()) {
    const decode = decoderOf(coding, bytes);
    // Answers to HEAD name a coding and have no body.
    if (decode === undefined || bytes.length === 0) break;
    try {
      bytes = await decode(bytes, limit);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return { ok: false, reason: 'too-large' };
      return { ok: false, reason: 'undecodable', coding };
    }
  }
  return { ok: true, bytes };
}

type Decode = (bytes: Buffer, maxOutputLength: number) => Promise<Buffer>;

function decoderOf(coding: string, bytes: Buffer): Decode | undefined {
  // A stream that lacks its last bytes is read as far as it goes, as browsers do.
  const finishFlush = zlib.constants.Z_SYNC_FLUSH;
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return (from, maxOutputLength) => promisify(zlib.gunzip)(from, { maxOutputLength, finishFlush });
    case 'deflate': {
      // Some servers send the bare stream, without the header that the name stands for.
      const isWrapped = ((bytes[0] ?? 0) & 0x0f) === 0x08;
      const inflate = promisify<Buffer, zlib.ZlibOptions, Buffer>(isWrapped ? zlib.inflate : zlib.inflateRaw);
      return (from, maxOutputLength) => inflate(from, { maxOutputLength, finishFlush });
    }
    case 'br':
      return (from, maxOutputLength) =>
        promisify(zlib.brotliDecompress)(from, {
          maxOutputLength,
          finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH,
        });
    case 'zstd':
      return (from, maxOutputLength) => promisify(zlib.zstdDecompress)(from, { maxOutputLength });
    default:
      return undefined;
  }
}
