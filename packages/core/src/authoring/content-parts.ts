/** Marks what `contentParts` made. Registered globally: it holds across copies of this package. */
export const contentPartsMark: unique symbol = Symbol.for('baigong.content-parts') as never;

/** Bytes, or a text in base64 (not a `data:` URL). */
export type PartData = string | Uint8Array | ArrayBuffer;

/** One part of a result as authors write it. */
export type ContentPartInput =
  | { readonly type: 'text'; readonly text: string }
  /** `mediaType`: `image/png`, `image/jpeg`, `image/webp`, `image/gif` are those that most models can look at. */
  | { readonly type: 'image'; readonly mediaType: string; readonly data: PartData }
  /** `name` is shown to people and models. */
  | { readonly type: 'file'; readonly mediaType: string; readonly data: PartData; readonly name?: string };

/** What `contentParts` returns. */
export interface ContentParts {
  readonly [contentPartsMark]: true;
  readonly parts: readonly ContentPartInput[];
}

/**
 * A result of texts, images and files for models that can look at them; other models are told what was left out. At
 * most 100 parts, and 4 MiB of base64 in sum (3 MiB of bytes); more ends the call as INVALID_RESULT. The tool's
 * `outputSchema` does not apply, and `maxOutputChars` counts the texts only.
 *
 * @example
 * return contentParts([
 *   { type: 'text', text: 'The chart of May.' },
 *   { type: 'image', mediaType: 'image/png', data: await render() },
 * ]);
 */
export function contentParts(parts: readonly ContentPartInput[]): ContentParts {
  return Object.freeze({ [contentPartsMark]: true as const, parts });
}
