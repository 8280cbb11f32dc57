import type { Json } from './json.ts';
import type { ContentPart } from './outcome.ts';
import { base64Bytes } from './part-label.ts';

/**
 * Content parts with the number of bytes (`bytes`) in place of their data, for logs, scripts and records: those say what
 * was there, and do not carry it.
 *
 * @example
 * withoutData([{ type: 'image', mediaType: 'image/png', data: 'AAAA' }]) // [{ type: 'image', mediaType: 'image/png', bytes: 3 }]
 */
export function withoutData(parts: readonly ContentPart[]): Json {
  return parts.map((part): Json => {
    if (part.type === 'text') return { ...part };
    const { data, ...rest } = part;
    return { ...rest, bytes: base64Bytes(data) };
  });
}
