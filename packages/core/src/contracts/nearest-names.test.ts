import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearestNames } from './nearest-names.ts';

const fields = ['description', 'inputSchema', 'outputSchema', 'timeoutMs', 'risk'];

describe('nearestNames', () => {
  it.each([
    ['descripton', ['description']],
    ['inputShema', ['inputSchema', 'outputSchema']],
    ['inptuSchema', ['inputSchema']],
    ['timeout', ['timeoutMs']],
    ['RISK', ['risk']],
    ['rsik', ['risk']],
    ['zzzz', []],
    ['', []],
    ['constructor', []],
  ])('finds what %j means', (name, expected) => {
    expect(nearestNames(name, fields, 3).slice(0, Math.max(1, expected.length))).toEqual(expected);
  });

  it('puts the nearest first and keeps the order of equals', () => {
    expect(nearestNames('get_weather', ['set_weather', 'get_weather2', 'get_weather'], 3)).toEqual([
      'get_weather',
      'set_weather',
      'get_weather2',
    ]);
    expect(nearestNames('cat', ['bat', 'hat', 'rat'], 2)).toEqual(['bat', 'hat']);
  });

  it('has no suggestions for names of absurd length', () => {
    expect(nearestNames('a'.repeat(1_000_000), ['a'.repeat(1_000_000)], 1)).toEqual([]);
    expect(nearestNames('a'.repeat(65), ['a'.repeat(64)], 1)).toEqual([]);
    expect(nearestNames('abc', ['abc'.repeat(1_000_000), 'abd'], 1)).toEqual(['abd']);
  });

  it('finds every name after one slip', () => {
    const name = fc.string({ minLength: 4, maxLength: 40 });
    fc.assert(
      fc.property(name, fc.nat(), fc.constantFrom('drop', 'swap', 'add'), (right, seed, slip) => {
        const at = seed % (right.length - 1);
        const wrong =
          slip === 'drop'
            ? right.slice(0, at) + right.slice(at + 1)
            : slip === 'add'
              ? `${right.slice(0, at)}x${right.slice(at)}`
              : right.slice(0, at) + right[at + 1] + right[at] + right.slice(at + 2);
        expect(nearestNames(wrong, [right], 1)).toEqual([right]);
      }),
    );
  });

  it('answers anything with candidates only', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.array(fc.string({ unit: 'binary' })),
        fc.nat(4),
        (name, all, atMost) => {
          const near = nearestNames(name, all, atMost);
          expect(near.length).toBeLessThanOrEqual(atMost);
          expect(all).toEqual(expect.arrayContaining([...near]));
        },
      ),
    );
  });
});
