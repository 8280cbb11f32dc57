import { definitionKind } from '../authoring/definition-kind.ts';
import type { EntryKind } from '../contracts/code-host.ts';
import { readMember } from './read-member.ts';

export type ReadDefinition =
  | { readonly kind: 'found'; readonly definition: object }
  | { readonly kind: 'no-default' }
  /** Made for another place. */
  | { readonly kind: 'other'; readonly found: EntryKind }
  | { readonly kind: 'none'; readonly found: string };

/** What a file declares: its default export, made by the `define…` function of that kind. */
export function readDefinition(exports: object, expected: EntryKind): ReadDefinition {
  const value = readMember(exports, 'default');
  if (value === undefined) return { kind: 'no-default' };
  // A CommonJS file compiled from an ES module keeps its default export one level down.
  for (const candidate of [value, readMember(value, 'default')]) {
    const found = kindOf(candidate);
    if (found === expected) return { kind: 'found', definition: candidate as object };
    if (found !== undefined) return { kind: 'other', found };
  }
  return { kind: 'none', found: value === null ? 'null' : typeof value };
}

/** A proxy of the author's may throw at any question. */
function kindOf(value: unknown): EntryKind | undefined {
  try {
    return definitionKind(value);
  } catch {
    return undefined;
  }
}
