import { normalizeUnitName } from './normalize-unit-name.ts';
import type { ResolvedUnit } from './resolve-unit.ts';
import { type UnitEntry, unitTable } from './unit-table.ts';
import { units } from './units.ts';

const MOST_NEAR = 3;
const MOST_OF_KIND = 6;

/** The known names that are spelled most like an unknown one, best first; empty when none is near. */
export function nearUnits(name: string): readonly string[] {
  const wanted = normalizeUnitName(name).toLowerCase();
  const allowed = Math.max(1, Math.floor(wanted.length / 3));
  return unitTable
    .flatMap(({ names }) => names)
    .map((candidate) => ({ candidate, distance: distance(wanted, candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= allowed && distance < candidate.length)
    .sort((one, other) => one.distance - other.distance)
    .slice(0, MOST_NEAR)
    .map(({ candidate }) => candidate);
}

/** Common units that a unit can be converted to, in the reader's language; empty for a kind that we do not list. */
export function unitsOfSameKind(unit: ResolvedUnit, locale: 'en' | 'zh'): readonly string[] {
  const wanted = units.Unit.parse(unit.unit);
  const kind = unitTable.find((entry) => wanted.equalBase(units.Unit.parse(entry.unit)))?.kind;
  return unitTable
    .filter((entry) => entry.kind === kind)
    .slice(0, MOST_OF_KIND)
    .map((entry) => nameIn(entry, locale));
}

function nameIn({ names, unit }: UnitEntry, locale: 'en' | 'zh'): string {
  const chinese = locale === 'zh' ? names.find((name) => /\p{Script=Han}/u.test(name)) : undefined;
  return chinese ?? names[0] ?? unit;
}

/** Levenshtein distance: how many characters to insert, delete or replace. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, character] of [...one].entries()) {
    let diagonal = index;
    const next = [index + 1];
    for (const [column, candidate] of [...other].entries()) {
      const above = row[column + 1] ?? 0;
      const left = next[column] ?? 0;
      next.push(Math.min(above + 1, left + 1, diagonal + (character === candidate ? 0 : 1)));
      diagonal = above;
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
