import type { Json } from '../contracts/json.ts';

type Members = Record<string, Json>;

/**
 * A copy of a JSON value whose objects inherit nothing. The schema library fills a default in where reading a member
 * gives nothing; of an ordinary object it would read an inherited `toString`.
 */
export function bareCopy(value: Json): Json {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(bareCopy);
  const copy = Object.create(null) as Members;
  for (const [name, member] of Object.entries(value)) copy[name] = bareCopy(member);
  return copy;
}

/** Hands what was filled into a bare copy back to the value that it was made of. */
export function takeDefaults(value: Json, copy: Json): void {
  if (value === null || typeof value !== 'object' || copy === null || typeof copy !== 'object') return;
  for (const [name, filled] of Object.entries(copy)) {
    if (Object.hasOwn(value, name)) takeDefaults((value as Members)[name] as Json, filled);
    else {
      const plain = JSON.parse(JSON.stringify(filled)) as Json;
      Object.defineProperty(value, name, { value: plain, writable: true, enumerable: true, configurable: true });
    }
  }
}
