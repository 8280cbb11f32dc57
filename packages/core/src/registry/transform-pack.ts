import { hash } from 'node:crypto';

interface PackEntry {
  /** How many times in a row the pack was written without anybody asking for this entry. */
  readonly unused: number;
  /** SHA-256 over the body. */
  readonly checksum: Uint8Array;
  /** The key once more, then the text: so the checksum vouches for both. */
  readonly body: Buffer;
}

const MAGIC = Buffer.from('baigong transforms 1\n');
const KEY_BYTES = 32;
const CHECKSUM_BYTES = 32;
/** Key, checksum, how long unused, length of the body. */
const HEAD_BYTES = KEY_BYTES + CHECKSUM_BYTES + 1 + 4;
const MOST_UNUSED = 255;

/**
 * Texts by key, as one block of bytes. Keys are 64 hexadecimal digits. Each entry carries a checksum over its key and
 * its text, so that damage loses an entry and never changes one.
 *
 * @example
 * const pack = TransformPack.parse(bytes);
 * pack.get(key) ?? pack.set(key, 'text');
 */
export class TransformPack {
  readonly #entries = new Map<string, PackEntry>();

  /** A foreign block gives an empty pack, a truncated one what is whole of it. Never throws. */
  static parse(bytes: Buffer): TransformPack {
    const pack = new TransformPack();
    if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) return pack;
    let at = MAGIC.length;
    while (at + HEAD_BYTES <= bytes.length) {
      const key = bytes.toString('hex', at, at + KEY_BYTES);
      const checksum = bytes.subarray(at + KEY_BYTES, at + KEY_BYTES + CHECKSUM_BYTES);
      const unused = bytes.readUInt8(at + KEY_BYTES + CHECKSUM_BYTES);
      const length = bytes.readUInt32LE(at + HEAD_BYTES - 4);
      at += HEAD_BYTES;
      if (length > bytes.length - at) break;
      pack.#entries.set(key, { unused, checksum, body: bytes.subarray(at, at + length) });
      at += length;
    }
    return pack;
  }

  /** The text that was stored under this key; a damaged entry is forgotten. */
  get(key: string): string | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (checksumOf(entry.body).equals(entry.checksum)) {
      const content = entry.body.toString('utf8');
      if (content.startsWith(key)) return content.slice(key.length);
    }
    this.#entries.delete(key);
    return undefined;
  }

  set(key: string, text: string): void {
    const body = Buffer.from(key + text);
    this.#entries.set(key, { unused: 0, checksum: checksumOf(body), body });
  }

  /**
   * The block of bytes to store. Entries that are not in `used` for more than `keepUnused` times in a row are left out,
   * and of the others those that were longest unused, as far as the block would exceed `atMost` bytes.
   */
  format(used: ReadonlySet<string>, limits: { readonly keepUnused: number; readonly atMost: number }): Buffer {
    const aged = [...this.#entries].map(([key, entry]) => {
      const unused = used.has(key) ? 0 : Math.min(entry.unused + 1, MOST_UNUSED);
      return { key, unused, checksum: entry.checksum, body: entry.body };
    });
    const parts: Uint8Array[] = [MAGIC];
    let size = MAGIC.length;
    for (const { key, unused, checksum, body } of aged.sort((a, b) => a.unused - b.unused)) {
      size += HEAD_BYTES + body.length;
      if (unused > limits.keepUnused || size > limits.atMost) break;
      const tail = Buffer.alloc(5);
      tail.writeUInt8(unused, 0);
      tail.writeUInt32LE(body.length, 1);
      parts.push(Buffer.from(key, 'hex'), checksum, tail, body);
    }
    return Buffer.concat(parts);
  }
}

function checksumOf(body: Buffer): Buffer {
  return hash('sha256', body, 'buffer');
}
