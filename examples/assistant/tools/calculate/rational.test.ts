import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CalculationFault } from './calculation-fault.ts';
import { bitLength, exactRoot, floor, greatestCommonDivisor, rational, whole } from './rational.ts';

const nonZero = fc.bigInt().filter((value) => value !== 0n);

describe('rational', () => {
  it('reduces to lowest terms with a positive denominator', () => {
    fc.assert(
      fc.property(fc.bigInt(), nonZero, (numerator, denominator) => {
        const value = rational(numerator, denominator);
        if (value === undefined) throw new Error('too long for this test');
        expect(value.denominator).toBeGreaterThan(0n);
        expect(greatestCommonDivisor(value.numerator, value.denominator)).toBe(1n);
        expect(value.numerator * denominator).toBe(numerator * value.denominator);
      }),
    );
  });

  it('keeps whole numbers of 10,000 digits, and no longer ones', () => {
    expect(whole(10n ** 9_999n).numerator).toBe(10n ** 9_999n);
    expect(() => whole(10n ** 10_000n)).toThrow(CalculationFault);
  });

  it('gives up fractions of more than 1,000 digits', () => {
    expect(rational(1n, 3n ** 2_000n)).toBeDefined();
    expect(rational(1n, 3n ** 2_200n)).toBeUndefined();
    expect(rational(7n ** 9_000n, 3n ** 9_000n)).toBeUndefined();
  });

  it('still sees that a long quotient is whole', () => {
    expect(rational(3n ** 9_000n * 7n, 3n ** 9_000n)).toEqual({ numerator: 7n, denominator: 1n });
  });

  it('refuses a denominator of zero', () => {
    expect(() => rational(1n, 0n)).toThrow(CalculationFault);
  });
});

describe('floor', () => {
  it('is the largest whole number that is not above', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt({ min: 1n, max: 1_000_000n }), (numerator, denominator) => {
        const floored = floor({ numerator, denominator });
        expect(floored * denominator <= numerator && numerator < (floored + 1n) * denominator).toBe(true);
      }),
    );
  });
});

describe('exactRoot', () => {
  it('undoes a power, and finds no root of its neighbour', () => {
    const base = fc.bigInt({ min: 2n, max: 10n ** 40n });
    fc.assert(
      fc.property(base, fc.integer({ min: 2, max: 64 }), (value, degree) => {
        const raised = value ** BigInt(degree);
        expect(exactRoot(raised, degree)).toBe(value);
        expect(exactRoot(raised + 1n, degree)).toBeUndefined();
      }),
    );
  });
});

describe('bitLength', () => {
  it('is the exponent of a power of two, whatever its sign', () => {
    expect([0n, 1n, -8n, 2n ** 5_000n].map(bitLength)).toEqual([0, 0, 3, 5_000]);
  });

  it('tells neighbours of a power of ten apart by nearly nothing', () => {
    expect(bitLength(10n ** 9_999n)).toBeCloseTo(9_999 * Math.log2(10), 6);
  });
});
