/** Does the asked provider take a file of that media type inside a tool's result? */
export type LooksAt = (mediaType: string) => boolean;

export const noMedia: LooksAt = () => false;

const IMAGES = ['image/png', 'image/jpeg', 'image/webp'];

/**
 * Media types that both the service and its AI SDK package take as part of a tool's result. Chat completions (OpenAI's
 * and the compatible ones) have no such thing: their packages would send base64 as a text, at the price of a text.
 */
const MEDIA: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['anthropic', new Set([...IMAGES, 'image/gif', 'application/pdf'])],
  ['anthropic.messages', new Set([...IMAGES, 'image/gif', 'application/pdf'])],
  ['google', new Set([...IMAGES, 'application/pdf', 'text/plain'])],
  ['google.generative-ai', new Set([...IMAGES, 'application/pdf', 'text/plain'])],
  ['openai.responses', new Set([...IMAGES, 'image/gif', 'application/pdf'])],
]);

/**
 * What a provider, by our name or the AI SDK's, takes in results; of one that is not known here: nothing.
 *
 * @example
 * mediaInResults('anthropic')('image/png') // true
 */
export function mediaInResults(provider: string): LooksAt {
  const media = MEDIA.get(provider);
  return media === undefined ? noMedia : (mediaType) => media.has(mediaType);
}
