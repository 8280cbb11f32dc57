import { type ContentParts, contentPartsMark } from '../authoring/content-parts.ts';
import type { Json } from '../contracts/json.ts';
import { contentPartLimits, type ReadParts, readContentParts } from '../contracts/read-content-parts.ts';
import { text } from '../contracts/texts/text.ts';
import { plainJson } from './plain-json.ts';
import { readMember } from './read-member.ts';

/** Was the value made by `contentParts` (of any copy of this package)? */
export function isContentParts(value: unknown): value is ContentParts {
  return readMember(value, contentPartsMark) === true;
}

/** The parts as plain data: bytes as base64, media types in lower case and without parameters; all of them checked. */
export function plainParts(value: ContentParts): ReadParts {
  const parts = readMember(value, 'parts');
  if (!Array.isArray(parts)) return readContentParts(typeof parts === 'string' ? parts : null);
  // Told before it is converted: what is far too large has no base64 text at all.
  const bytes = parts.reduce<number>((sum, part) => sum + byteLength(readMember(part, 'data')), 0);
  const chars = Math.ceil(bytes / 3) * 4;
  if (chars > limit) return { ok: false, reason: text('execution.parts-too-large', { found: chars, limit }) };
  return readContentParts(parts.map(plainPart));
}

const { dataChars: limit } = contentPartLimits;

function byteLength(data: unknown): number {
  return ArrayBuffer.isView(data) || data instanceof ArrayBuffer ? data.byteLength : 0;
}

function plainPart(part: unknown): Json {
  const members: { [name: string]: Json } = {};
  for (const name of ['type', 'text', 'name'] as const) {
    const member = readMember(part, name);
    if (member === undefined) continue;
    const plain = plainJson(member);
    // What is no JSON is not a text either: the check that follows says so.
    members[name] = plain.ok ? (plain.value ?? null) : null;
  }
  const mediaType = readMember(part, 'mediaType');
  if (typeof mediaType === 'string') members.mediaType = mediaType.split(';', 1).join('').trim().toLowerCase();
  const data = readMember(part, 'data');
  if (typeof data === 'string') members.data = data;
  else if (ArrayBuffer.isView(data)) members.data = base64(data.buffer, data.byteOffset, data.byteLength);
  else if (data instanceof ArrayBuffer) members.data = base64(data, 0, data.byteLength);
  return members;
}

function base64(buffer: ArrayBufferLike, offset: number, length: number): string {
  return Buffer.from(buffer as ArrayBuffer, offset, length).toString('base64');
}
