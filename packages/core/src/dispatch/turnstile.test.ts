import { describe, expect, it } from 'vitest';
import { Turnstile } from './turnstile.ts';

const never = new AbortController().signal;

describe('a turnstile', () => {
  it('lets the next one in when one leaves, in the order of their coming', async () => {
    const turnstile = new Turnstile(1, 10);
    const leave = await turnstile.enter(never);
    const order: string[] = [];
    const enter = async (name: string) => {
      const leaveAgain = await turnstile.enter(never);
      order.push(name);
      leaveAgain?.();
    };
    const others = [enter('first'), enter('second')];
    expect(order).toEqual([]);
    leave?.();
    await Promise.all(others);
    expect(order).toEqual(['first', 'second']);
  });

  it('gives no place to one that has stopped waiting', async () => {
    const turnstile = new Turnstile(1, 10);
    const leave = await turnstile.enter(never);
    const impatient = new AbortController();
    const gone = turnstile.enter(impatient.signal);
    const patient = turnstile.enter(never);
    impatient.abort(new Error('enough'));
    await expect(gone).rejects.toThrow('enough');
    leave?.();
    expect(await patient).toBeTypeOf('function');
  });

  it('counts a leave once, however often it is said', async () => {
    const turnstile = new Turnstile(1, 0);
    const leave = await turnstile.enter(never);
    leave?.();
    leave?.();
    expect(await turnstile.enter(never)).toBeTypeOf('function');
    expect(await turnstile.enter(never)).toBeUndefined();
  });
});
