/**
 * A session key, turn id or value key as it stands in a TEXT column. SQLite keeps well-formed Unicode only, so a text
 * with a lone surrogate is written as JSON; so is one that begins with a quotation mark, which keeps both forms apart.
 */
export function toStoredKey(key: string): string {
  return key.isWellFormed() && !key.startsWith('"') ? key : JSON.stringify(key);
}

/** The text that {@link toStoredKey} was given. */
export function fromStoredKey(stored: string): string {
  return stored.startsWith('"') ? (JSON.parse(stored) as string) : stored;
}
