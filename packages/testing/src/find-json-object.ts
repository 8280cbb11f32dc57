import { isRecord, parseJson } from './json-value.ts';

// Each opening brace costs a walk through the text; a text of nothing but braces must not cost its square.
const maxAttempts = 100;

/** The first JSON object in a text, exactly as it is written there; it gives up after a hundred opening braces. */
export function findJsonObject(text: string): string | undefined {
  let start = text.indexOf('{');
  for (let attempt = 0; attempt < maxAttempts && start >= 0; attempt += 1) {
    const end = closingBrace(text, start);
    const candidate = text.slice(start, end + 1);
    if (end > start && isRecord(parseJson(candidate))) return candidate;
    start = text.indexOf('{', start + 1);
  }
  return undefined;
}

function closingBrace(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let index = start; index < text.length; index += 1) {
    const character = text[index];
    if (inString && character === '\\') index += 1;
    else if (character === '"') inString = !inString;
    else if (!inString && character === '{') depth += 1;
    else if (!inString && character === '}') {
      depth -= 1;
      if (depth === 0) return index;
    }
  }
  return -1;
}
