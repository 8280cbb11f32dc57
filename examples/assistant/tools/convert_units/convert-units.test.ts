import { InputError } from 'baigong';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Conversion, convertUnits } from './convert-units.ts';
import { unitTable } from './unit-table.ts';

function refusalOf(conversion: Conversion, locale: 'en' | 'zh'): InputError {
  try {
    convertUnits(conversion, locale);
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
  throw new Error('the conversion was not refused');
}

describe('convertUnits', () => {
  it.each<[number, string, string, number]>([
    [5, 'km', 'mile', 3.10685596118667],
    [5, '公里', '英里', 3.10685596118667],
    [0.1, 'm', 'cm', 10],
    [180, '厘米', '英尺', 5.90551181102362],
    [1, '里', '公里', 0.5],
    [1, '丈', '尺', 10],
    [3, '斤', '公斤', 1.5],
    [1, '斤', '两', 10],
    [1, '磅', '克', 453.59237],
    [1, '吨', '千克', 1_000],
    [1, '亩', '平方米', 666.666666666667],
    [15, '亩', '公顷', 1],
    [1, '平方公里', '亩', 1_500],
    [100, 'square feet', '平米', 9.290304],
    [2, '升', '毫升', 2_000],
    [1, 'gallon', 'L', 3.785411784],
    [90, '分钟', '小时', 1.5],
    [1, '天', 's', 86_400],
    [100, 'km/h', 'm/s', 27.7777777777778],
    [60, 'mph', '公里每小时', 96.56064],
    [1, '节', 'km/h', 1.852],
    [1, 'GB', 'MB', 1_000],
    [1, 'GiB', 'MB', 1_073.741824],
    [100, 'Mbps', 'MB/s', 12.5],
    [1, '大卡', 'kJ', 4.184],
    [1, '度电', 'MJ', 3.6],
    [1, 'atm', '千帕', 101.325],
    [1, 'psi', 'Pa', 6_894.75729316836],
    [90, 'degrees', '弧度', 1.5707963267949],
    [123_456_789_012_345, 'm', 'km', 123_456_789_012.345],
    [-0, 'm', 'km', 0],
  ])('%d %s is in %s %d', (value, from, to, expected) => {
    expect(convertUnits({ value, from, to }, 'zh').value).toBe(expected);
  });

  it.each<[number, string, string, number]>([
    [37, '摄氏度', '华氏度', 98.6],
    [98.6, '°F', 'celsius', 37],
    [-40, 'F', 'C', -40],
    [0, 'K', '℃', -273.15],
    [25, 'degrees Celsius', 'kelvin', 298.15],
    [-459.67, 'fahrenheit', 'K', 0],
  ])('shifts temperatures: %d %s is in %s %d', (value, from, to, expected) => {
    expect(convertUnits({ value, from, to }, 'en').value).toBe(expected);
  });

  it('tells the value, the unit as it was written, and the equation', () => {
    expect(convertUnits({ value: 37, from: ' 摄氏度', to: '°F ' }, 'zh')).toEqual({
      value: 98.6,
      unit: '°F',
      text: '37 摄氏度 = 98.6 °F',
    });
  });

  it.each<[Conversion, string, string]>([
    [{ value: 1, from: 'kilometrs', to: 'm' }, '"kilometrs" is not a unit this tool knows.', 'kilometers'],
    [{ value: 1, from: 'm', to: '公理' }, '"公理" is not a unit this tool knows.', '公里'],
    [{ value: 1, from: 'parrots', to: 'm' }, '"parrots" is not a unit this tool knows.', 'km'],
    [{ value: 1, from: 'km', to: 'kg' }, '"km" and "kg" do not measure the same kind of quantity.', 'mile'],
    [{ value: 1, from: '°C', to: 'm' }, '"°C" and "m" do not measure the same kind of quantity.', '°F'],
    [{ value: 1, from: 'mol', to: 'm' }, '"mol" and "m" do not measure the same kind of quantity.', 'same kind'],
    [
      { value: -274, from: '°C', to: '°F' },
      '-274 °C is below absolute zero, so there is no such temperature.',
      '-273.15',
    ],
    [
      { value: 1e308, from: 'km', to: 'nm' },
      '1e+308 km in "nm" is larger than this tool can express.',
      'larger target',
    ],
  ])('refuses %j and names what would work', (conversion, message, hinted) => {
    const refusal = refusalOf(conversion, 'en');
    expect(refusal.message).toBe(message);
    expect(refusal.hint).toContain(hinted);
  });

  it('refuses in Chinese with Chinese units', () => {
    const refusal = refusalOf({ value: 1, from: 'km', to: '公斤' }, 'zh');
    expect(refusal.message).toBe('“km”和“公斤”不是同一类量，无法换算。');
    expect(refusal.hint).toContain('公里、米、英里');
  });

  it('comes back to where it started, between any two units of a kind', () => {
    const pairs = unitTable.flatMap((one) =>
      unitTable
        .filter(({ kind }) => kind === one.kind)
        .map((other) => [one.names[0] ?? '', other.names[0] ?? ''] as const),
    );
    const value = fc.double({ min: 1e-6, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(fc.constantFrom(...pairs), value, ([from, to], amount) => {
        const there = convertUnits({ value: amount, from, to }, 'en');
        const back = convertUnits({ value: there.value, from: to, to: from }, 'en');
        // A temperature in kelvin keeps fewer digits of a value close to its own zero.
        const scale = Math.max(Math.abs(amount), 460);
        expect(
          Math.abs(back.value - amount) / (from.startsWith('°') || to.startsWith('°') ? scale : amount),
        ).toBeLessThan(1e-13);
      }),
    );
  });

  it('converts any text or refuses it, and does nothing else', () => {
    const name = fc.oneof(
      fc.string({ maxLength: 50 }),
      fc.string({ unit: fc.constantFrom(...'kmgsh/*^2 -.()平方公里每°'), maxLength: 50 }),
      fc.constantFrom('constructor', '__proto__', 'toString', '5 km', 'km 5', '(', 'm^', 'm^999999999999'),
    );
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), name, name, (value, from, to) => {
        try {
          expect(Number.isFinite(convertUnits({ value, from, to }, 'en').value)).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(InputError);
        }
      }),
      { numRuns: 300 },
    );
  });
});
