import { normalizeUnitName } from './normalize-unit-name.ts';
import { unitTable } from './unit-table.ts';
import { units } from './units.ts';

/** A unit in the language of mathjs: `times / over` times a unit of mathjs. */
export interface ResolvedUnit {
  readonly unit: string;
  readonly times: number;
  readonly over: number;
}

/** What mathjs may be given as a unit: letters, powers, products and quotients, but no number before them. */
const UNIT_EXPRESSION = /^[a-z][a-z0-9^*/ .-]*$/i;
const SINGLE_UNIT = /^[a-z]+$/i;

const BY_NAME = byName(normalizeUnitName);
const BY_FOLDED_NAME = byName((name) => normalizeUnitName(name).toLowerCase());

/**
 * Finds the unit that a name means: Chinese or English names, symbols, and what is made of them
 * (`平方公里`, `square feet`, `kg/m3`, `公里每小时`). Exact spelling goes before mere letters, so `Mm` is no `mm`.
 * Undefined when nothing fits.
 */
export function resolveUnit(name: string): ResolvedUnit | undefined {
  const normal = normalizeUnitName(name);
  return resolveTerm(normal) ?? resolveQuotient(normal);
}

function resolveTerm(name: string): ResolvedUnit | undefined {
  return resolveName(name) ?? resolvePower(name);
}

function resolveName(name: string): ResolvedUnit | undefined {
  const folded = name.toLowerCase();
  return BY_NAME.get(name) ?? inMathjs(name) ?? BY_FOLDED_NAME.get(folded) ?? inMathjs(folded);
}

function byName(spell: (name: string) => string): ReadonlyMap<string, ResolvedUnit> {
  const resolved = new Map<string, ResolvedUnit>();
  for (const { unit, times = 1, over = 1, names } of unitTable) {
    // Where letters alone do not tell two names apart, the more common one comes first in the table.
    for (const name of names.map(spell)) if (!resolved.has(name)) resolved.set(name, { unit, times, over });
  }
  return resolved;
}

function inMathjs(name: string): ResolvedUnit | undefined {
  if (!UNIT_EXPRESSION.test(name)) return undefined;
  const unit = name.replace(/([a-z])([23])(?![a-z0-9.])/gi, '$1^$2');
  try {
    units.Unit.parse(unit);
    return { unit, times: 1, over: 1 };
  } catch {
    // mathjs says "no such unit" by throwing.
    return undefined;
  }
}

function resolvePower(name: string): ResolvedUnit | undefined {
  const power = splitPower(name);
  if (power === undefined) return undefined;
  const { exponent } = power;
  const base = resolveName(power.base);
  if (base === undefined || !SINGLE_UNIT.test(base.unit)) return undefined;
  return { unit: `${base.unit}^${exponent}`, times: base.times ** exponent, over: base.over ** exponent };
}

function splitPower(name: string): { readonly base: string; readonly exponent: number } | undefined {
  const [, word = '', wordBase] = /^(平方|立方|square |sq\.? |cubic |cu\.? )(.+)$/i.exec(name) ?? [];
  if (wordBase !== undefined) return { base: wordBase, exponent: /^(?:立|cu)/i.test(word) ? 3 : 2 };
  const [, base, digit] = /^(.*[^\d^])\^?([23])$/.exec(name) ?? [];
  return base === undefined ? undefined : { base, exponent: Number(digit) };
}

function resolveQuotient(name: string): ResolvedUnit | undefined {
  const [above, below, ...more] = name.split(/\/| per |每/i);
  if (above === undefined || below === undefined || more.length > 0) return undefined;
  const numerator = resolveTerm(above.trim());
  const denominator = resolveTerm(below.trim());
  if (numerator === undefined || denominator === undefined || /[*/ ]/.test(numerator.unit + denominator.unit)) {
    return undefined;
  }
  return {
    unit: `${numerator.unit}/${denominator.unit}`,
    times: numerator.times * denominator.over,
    over: numerator.over * denominator.times,
  };
}
