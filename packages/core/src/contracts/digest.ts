import { hash } from 'node:crypto';

/** A content hash, e.g. `sha256:2c26b4…`. */
export type Digest = `sha256:${string}`;

/**
 * SHA-256 of a text (as UTF-8) or of bytes, in lower-case hexadecimal with its algorithm in front.
 * Hash canonical JSON to compare values: equal values give equal digests.
 *
 * @example
 * digest(canonicalJson({ city: '北京' })) // 'sha256:…'
 */
export function digest(content: string | Uint8Array): Digest {
  return `sha256:${hash('sha256', content, 'hex')}`;
}
