import type { KeyPath } from './key-path.ts';

/** The key that a place belongs to: lists count as one value, so a place in a list belongs to the list. */
export function leafPath(path: KeyPath): readonly string[] {
  const end = path.findIndex((part) => typeof part === 'number');
  return (end === -1 ? path : path.slice(0, end)) as readonly string[];
}
