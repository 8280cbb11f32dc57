/**
 * A text for people or models, named instead of spelled out, so that it can be shown in the reader's language.
 * `values` fill the gaps of the text; they are data and are never interpreted. One may be a text of the catalogue itself.
 */
export interface MessageKey {
  readonly key: string;
  readonly values?: Readonly<Record<string, string | number | MessageKey>>;
}
