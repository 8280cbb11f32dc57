import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Generations } from './generations.ts';

describe('Generations', () => {
  it('keeps a generation for those that hold it, and disposes of it once', async () => {
    const disposed: string[] = [];
    const generations = new Generations('one', async () => void disposed.push('one'));
    const first = generations.lease();
    const second = generations.lease();
    generations.replace('two', async () => void disposed.push('two'));
    expect([generations.current, first.content, generations.living]).toEqual(['two', 'one', 2]);
    first.release();
    first.release();
    expect(disposed).toEqual([]);
    second.release();
    expect(disposed).toEqual(['one']);
    await generations.close();
    expect(disposed).toEqual(['one', 'two']);
    expect(generations.living).toBe(0);
  });

  it('waits at its end for disposals, whatever they throw', async () => {
    const slow = Promise.withResolvers<void>();
    const generations = new Generations('one', () => slow.promise);
    let isClosed = false;
    const closing = generations.close().then(() => {
      isClosed = true;
    });
    await Promise.resolve();
    expect(isClosed).toBe(false);
    slow.reject(new Error('a faulty plugin'));
    await closing;
    expect(generations.living).toBe(0);
  });

  it('disposes of each exactly once, whatever the order', async () => {
    const step = fc.oneof(fc.constant('lease' as const), fc.constant('replace' as const), fc.nat({ max: 20 }));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const disposed: number[] = [];
        let made = 0;
        const dispose = (number: number) => async () => void disposed.push(number);
        const generations = new Generations(0, dispose(0));
        const leases: ReturnType<typeof generations.lease>[] = [];
        for (const one of steps) {
          if (one === 'lease') leases.push(generations.lease());
          else if (one === 'replace') {
            made += 1;
            generations.replace(made, dispose(made));
          } else leases[one]?.release();
          for (const { content } of leases.filter(
            (_, index) => !steps.slice(0, steps.indexOf(one) + 1).includes(index),
          )) {
            expect(content).toBeLessThanOrEqual(made);
          }
          expect(disposed).not.toContain(generations.current);
        }
        for (const lease of leases) lease.release();
        await generations.close();
        expect(disposed.toSorted((a, b) => a - b)).toEqual(Array.from({ length: made + 1 }, (_, index) => index));
      }),
    );
  });
});
