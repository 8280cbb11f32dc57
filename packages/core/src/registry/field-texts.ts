import type { Json } from '../contracts/json.ts';

/** The texts of a list; anything else has been reported already. */
export function fieldTexts(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
