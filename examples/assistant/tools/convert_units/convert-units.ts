import { InputError, type Locale } from 'baigong';
import { type ResolvedUnit, resolveUnit } from './resolve-unit.ts';
import { nearUnits, unitsOfSameKind } from './suggest-units.ts';
import { texts } from './texts.ts';
import { units } from './units.ts';

export interface Conversion {
  readonly value: number;
  readonly from: string;
  readonly to: string;
}

export interface Converted {
  /** In the unit that was asked for, 15 significant digits. */
  readonly value: number;
  /** The target unit as the caller wrote it. */
  readonly unit: string;
  /** The whole equation, e.g. `5 km = 3.10685596118667 mile`. */
  readonly text: string;
}

/** What a JSON number holds without doubt. */
const SIGNIFICANT_DIGITS = 15;

/**
 * Converts a quantity to another unit of the same kind.
 *
 * @throws InputError for an unknown unit, units of different kinds, a temperature below absolute zero, and a result
 * beyond the range of numbers.
 * @example
 * convertUnits({ value: 37, from: '摄氏度', to: '°F' }, 'zh') // { value: 98.6, unit: '°F', text: '37 摄氏度 = 98.6 °F' }
 */
export function convertUnits({ value, from, to }: Conversion, locale: Locale): Converted {
  const say = texts[locale];
  const source = known(from, locale);
  const target = known(to, locale);
  const quantity = `${value} ${from.trim()}`;

  const amount = units.bignumber(String(value)).times(source.times).div(source.over);
  const measured = new units.Unit(amount, source.unit);
  if (!measured.equalBase(units.Unit.parse(target.unit))) {
    const names = unitsOfSameKind(source, locale).join(locale === 'zh' ? '、' : ', ');
    const hint = names === '' ? say.sameKind : say.convertsTo(from.trim(), names);
    throw new InputError(say.notTheSame(from.trim(), to.trim()), { hint });
  }
  if (measured.equalBase(units.Unit.parse('K')) && units.bignumber(measured.toNumeric('K')).lt(0)) {
    throw new InputError(say.belowZero(quantity), { hint: say.lowestTemperature });
  }

  const exact = units.bignumber(measured.toNumeric(target.unit)).times(target.over).div(target.times);
  const converted = Number(exact.toPrecision(SIGNIFICANT_DIGITS));
  if (!Number.isFinite(converted)) {
    throw new InputError(say.tooLarge(quantity, to.trim()), { hint: say.useLargerUnit });
  }
  return { value: converted, unit: to.trim(), text: `${quantity} = ${converted} ${to.trim()}` };
}

function known(name: string, locale: Locale): ResolvedUnit {
  const resolved = resolveUnit(name);
  if (resolved !== undefined) return resolved;
  const say = texts[locale];
  const near = nearUnits(name).join(locale === 'zh' ? '、' : ', ');
  throw new InputError(say.unknownUnit(name.trim()), { hint: near === '' ? say.tryOther : say.tryNear(near) });
}
