import { describe, expect, it } from 'vitest';
import { resolveUnit } from './resolve-unit.ts';
import { unitTable } from './unit-table.ts';

describe('resolveUnit', () => {
  it('finds every name of the table, and each means one unit', () => {
    for (const { unit, times = 1, over = 1, names } of unitTable) {
      for (const name of names) expect([name, resolveUnit(name)]).toEqual([name, { unit, times, over }]);
    }
  });

  it.each([
    ['Kilometers', 'km'],
    ['KM', 'km'],
    ['KG', 'kg'],
    ['㎏', 'kg'],
    ['ｋｍ', 'km'],
    ['µm', 'um'],
    ['kilometres', 'km'],
    ['° C', 'degC'],
    ['deg. F', 'degF'],
    ['Mm', 'Mm'],
    ['mb', 'MB'],
    ['㎡', 'm^2'],
    ['sq. ft', 'ft^2'],
    ['cubic meters', 'm^3'],
    ['立方厘米', 'cm^3'],
    ['cm³', 'cm^3'],
    ['kg/m3', 'kg/m^3'],
    ['kg / m³', 'kg/m^3'],
    ['m/s²', 'm/s^2'],
    ['KM/H', 'km/h'],
    ['kilometres per hour', 'km/hour'],
    ['千米每秒', 'km/s'],
    ['N m', 'N m'],
  ])('reads %s as %s', (name, unit) => {
    expect(resolveUnit(name)).toEqual({ unit, times: 1, over: 1 });
  });

  it('carries the size of market units into powers and quotients', () => {
    expect(resolveUnit('平方里')).toEqual({ unit: 'm^2', times: 250_000, over: 1 });
    expect(resolveUnit('斤/亩')).toEqual({ unit: 'kg/m^2', times: 3, over: 4_000 });
  });

  it.each([
    '',
    ' ',
    '5 km',
    'km 5',
    '度',
    '平方平方米',
    'm/',
    '/m',
    'a/b/c',
    'm^',
    'constructor',
    '__proto__',
    'toString',
  ])('does not know "%s"', (name) => {
    expect(resolveUnit(name)).toBeUndefined();
  });
});
