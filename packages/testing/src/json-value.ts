/** A JSON object of unknown content, as a request body arrives. */
export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects of a list; what is no list, or no object in it, counts as absent. */
export function recordsIn(value: unknown): JsonRecord[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function stringOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

/** The value of a JSON text, or undefined when the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
