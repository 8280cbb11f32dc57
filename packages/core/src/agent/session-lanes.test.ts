import { describe, expect, it } from 'vitest';
import { createSessionLanes } from './session-lanes.ts';

const never = new AbortController().signal;

describe('session lanes', () => {
  it('run one session in order and another beside it; a failure does not stop the lane', async () => {
    const lanes = createSessionLanes();
    const order: string[] = [];
    const gate = Promise.withResolvers<void>();
    const first = lanes.run('a', never, async () => {
      await gate.promise;
      order.push('a1');
      throw new Error('failed');
    });
    const second = lanes.run('a', never, async () => void order.push('a2'));
    await lanes.run('b', never, async () => void order.push('b1'));
    gate.resolve();
    await expect(first).rejects.toThrow('failed');
    await second;
    expect(order).toEqual(['b1', 'a1', 'a2']);
    await lanes.idle();
  });

  it('let go of one that is aborted while it waits, without running it or those behind it early', async () => {
    const lanes = createSessionLanes();
    const order: string[] = [];
    const gate = Promise.withResolvers<void>();
    const stop = new AbortController();
    const first = lanes.run('a', never, async () => {
      await gate.promise;
      order.push('first');
    });
    const aborted = lanes.run('a', stop.signal, async () => void order.push('aborted'));
    const last = lanes.run('a', never, async () => void order.push('last'));
    stop.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    expect(order).toEqual([]);
    gate.resolve();
    await Promise.all([first, last]);
    expect(order).toEqual(['first', 'last']);
    await lanes.idle();
  });
});
