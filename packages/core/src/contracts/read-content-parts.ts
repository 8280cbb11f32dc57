import type { Json } from './json.ts';
import type { MessageKey } from './message-key.ts';
import type { ContentPart } from './outcome.ts';
import { showText } from './show-text.ts';
import { showValue } from './show-value.ts';
import { text } from './texts/text.ts';

/** Bounds of the content parts of one result. */
export const contentPartLimits = {
  parts: 100,
  /** Characters of base64 of all images and files together: 4 MiB, which are 3 MiB of bytes. */
  dataChars: 4 * 1024 * 1024,
  /** Characters of a file's name. */
  nameChars: 200,
} as const;

const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

export type ReadParts =
  | { readonly ok: true; readonly parts: readonly ContentPart[] }
  | { readonly ok: false; readonly reason: MessageKey };

/**
 * Content parts from plain data that a tool's process sent, checked member by member; unknown members are left out.
 *
 * @example
 * readContentParts([{ type: 'text', text: 'done' }]) // { ok: true, parts: [{ type: 'text', text: 'done' }] }
 */
export function readContentParts(value: Json | undefined): ReadParts {
  if (!Array.isArray(value)) return { ok: false, reason: text('execution.parts-not-a-list', { found: typeof value }) };
  const { parts: most, dataChars } = contentPartLimits;
  if (value.length > most) {
    return { ok: false, reason: text('execution.parts-too-many', { count: value.length, limit: most }) };
  }
  const parts: ContentPart[] = [];
  let chars = 0;
  for (const [at, item] of (value as readonly Json[]).entries()) {
    const part = readPart(item, at + 1);
    if ('key' in part) return { ok: false, reason: part };
    if (part.type !== 'text') chars += part.data.length;
    parts.push(part);
  }
  return chars > dataChars
    ? { ok: false, reason: text('execution.parts-too-large', { found: chars, limit: dataChars }) }
    : { ok: true, parts };
}

function readPart(item: Json, index: number): ContentPart | MessageKey {
  const type = own(item, 'type');
  if (type === 'text') {
    const said = own(item, 'text');
    return typeof said === 'string'
      ? { type, text: said }
      : text('execution.part-text', { index, found: showValue(said) });
  }
  if (type !== 'image' && type !== 'file') {
    return text('execution.part-type', { index, found: type === undefined ? showValue(item) : showValue(type) });
  }
  const mediaType = own(item, 'mediaType');
  const data = own(item, 'data');
  if (typeof mediaType !== 'string' || !MEDIA_TYPE.test(mediaType) || (type === 'image' && !isImage(mediaType))) {
    const expected = type === 'image' ? 'image/png' : 'application/pdf';
    return text('execution.part-media-type', { index, found: showValue(mediaType), expected });
  }
  if (typeof data !== 'string' || !isBase64(data)) return text('execution.part-data', { index });
  if (type === 'image') return { type, mediaType, data };
  const name = own(item, 'name');
  if (name === undefined) return { type, mediaType, data };
  const { nameChars } = contentPartLimits;
  return typeof name === 'string' && name !== '' && name.length <= nameChars && showText(name) === name
    ? { type, mediaType, data, name }
    : text('execution.part-name', { index, limit: nameChars });
}

function isImage(mediaType: string): boolean {
  return mediaType.startsWith('image/');
}

function isBase64(data: string): boolean {
  return data.length % 4 === 0 && BASE64.test(data);
}

function own(value: Json, name: string): Json | undefined {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as { readonly [name: string]: Json })[name]
    : undefined;
}
