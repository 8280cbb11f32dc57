import { parseJson } from './json-value.ts';

/** The body as text, with its byte order mark if it has one, and as JSON where it is that. */
export function decodeBody(bytes: Buffer): { text: string; json: unknown } {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  // JSON is UTF-8 by definition, so a body with broken bytes is no JSON even if its text looks like it.
  if (!Buffer.from(text, 'utf-8').equals(bytes)) return { text, json: undefined };
  return { text, json: parseJson(text) };
}
