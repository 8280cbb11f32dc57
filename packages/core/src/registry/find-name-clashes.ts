import type { CapabilityDeclaration } from '../contracts/capability.ts';
import type { Problem } from '../contracts/problem.ts';
import { showText } from '../contracts/show-text.ts';
import { showValue } from '../contracts/show-value.ts';
import { text } from '../contracts/texts/text.ts';
import { placeOf } from './capability-key.ts';
import { qualifiedName } from './qualified-name.ts';

/** A capability, and which source gave it. */
export interface Declared {
  readonly declaration: Pick<CapabilityDeclaration, 'kind' | 'name' | 'owner' | 'file' | 'via'>;
  readonly source: string;
}

interface Named extends Declared {
  readonly name: string;
  readonly isPublic: boolean;
}

/**
 * Names that were given more than once: one problem each, naming every place. Private capabilities may share a name
 * with one another, not with a public one. Names of tools that only differ in case are allowed, since providers tell
 * them apart, but models mix them up: a warning.
 */
export function findNameClashes(declared: readonly Declared[]): readonly Problem[] {
  const named = declared.map(({ declaration, source }): Named => {
    const { kind, owner, name } = declaration;
    const isPublic = owner.agent === undefined && owner.skill === undefined;
    return { declaration, source, name: qualifiedName(kind, owner, name), isPublic };
  });
  const problems: Problem[] = [];
  for (const places of group(named, (one) => `${one.declaration.kind} ${one.name}`).values()) {
    const clashing = places.some((one) => one.isPublic) ? [places] : sameKey(places);
    for (const clash of clashing) {
      // A name of the framework's own tools is told as reserved.
      if (clash.length > 1 && !clash.some(isOfFramework)) problems.push(duplicate(clash));
    }
  }
  const publicTools = named.filter((one) => one.isPublic && one.declaration.kind === 'tool');
  const firsts = [...group(publicTools, (one) => one.name).values()].flatMap((places) => places.slice(0, 1));
  for (const places of group(firsts, (one) => one.name.toLowerCase()).values()) {
    if (places.length > 1) problems.push(similar(places));
  }
  return problems;
}

function sameKey(places: readonly Named[]): readonly (readonly Named[])[] {
  const byKey = group(places, ({ declaration: { kind, owner, name } }) => placeOf(kind, owner, name));
  return [...byKey.values()];
}

function duplicate(places: readonly Named[]): Problem {
  const tool = showText((places[0]?.name ?? '').slice(0, 100));
  const shown = places.map(describe).join(', ');
  return {
    ...fileOf(places),
    code: 'DUPLICATE_NAME',
    field: 'name',
    found: shown,
    message: text('registry.duplicate-name', { tool, places: shown }),
    hint: text('registry.duplicate-name-hint'),
    fatal: true,
  };
}

function similar(places: readonly Named[]): Problem {
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

function isOfFramework({ declaration: { via } }: Named): boolean {
  return via === 'framework';
}

function fileOf(places: readonly Named[]): { readonly file?: string } {
  const file = places.find(({ declaration }) => declaration.file !== undefined)?.declaration.file;
  return file === undefined ? {} : { file: showText(file) };
}

function describe({ source, declaration: { file } }: Named): string {
  return file === undefined ? `(${showText(source)})` : `${showText(file)} (${showText(source)})`;
}

function group(named: readonly Named[], keyOf: (one: Named) => string): ReadonlyMap<string, readonly Named[]> {
  const groups = new Map<string, Named[]>();
  for (const one of named) {
    const key = keyOf(one);
    const members = groups.get(key);
    if (members === undefined) groups.set(key, [one]);
    else members.push(one);
  }
  return groups;
}
