import type { Problem } from '../contracts/problem.ts';
import { text } from '../contracts/texts/text.ts';
import { showText } from '../contracts/show-text.ts';
import { showValue } from '../contracts/show-value.ts';

/** A name and who gave it. */
export interface DeclaredName {
  readonly name: string;
  readonly source: string;
  readonly file?: string;
}

/**
 * Names that were given more than once: one problem each, naming every place. Names that only differ in case are
 * allowed, since providers tell them apart, but models mix them up: a warning.
 */
export function findNameClashes(names: readonly DeclaredName[]): readonly Problem[] {
  const byName = group(names, (one) => one.name);
  const problems: Problem[] = [];
  for (const [name, places] of byName) {
    if (places.length > 1) problems.push(duplicate(name, places));
  }
  const firsts = [...byName.values()].flatMap((places) => places.slice(0, 1));
  for (const places of group(firsts, (one) => one.name.toLowerCase()).values()) {
    if (places.length > 1) problems.push(similar(places));
  }
  return problems;
}

function duplicate(name: string, places: readonly DeclaredName[]): Problem {
  const tool = showText(name.slice(0, 100));
  return {
    ...fileOf(places),
    code: 'DUPLICATE_NAME',
    field: 'name',
    found: places.map(describe).join(', '),
    message: text('registry.duplicate-name', { tool, places: places.map(describe).join(', ') }),
    hint: text('registry.duplicate-name-hint'),
    fatal: true,
  };
}

function similar(places: readonly DeclaredName[]): Problem {
  const found = places.map((place) => `${showValue(place.name)}: ${describe(place)}`).join(', ');
  return {
    ...fileOf(places),
    code: 'SIMILAR_NAME',
    field: 'name',
    found,
    message: text('registry.similar-name', { names: found }),
    hint: text('registry.similar-name-hint'),
    fatal: false,
  };
}

function fileOf(places: readonly DeclaredName[]): { readonly file?: string } {
  const file = places.find((place) => place.file !== undefined)?.file;
  return file === undefined ? {} : { file: showText(file) };
}

function describe({ source, file }: DeclaredName): string {
  return file === undefined ? `(${showText(source)})` : `${showText(file)} (${showText(source)})`;
}

function group(
  names: readonly DeclaredName[],
  keyOf: (name: DeclaredName) => string,
): ReadonlyMap<string, readonly DeclaredName[]> {
  const groups = new Map<string, DeclaredName[]>();
  for (const one of names) {
    const key = keyOf(one);
    const members = groups.get(key);
    if (members === undefined) groups.set(key, [one]);
    else members.push(one);
  }
  return groups;
}
