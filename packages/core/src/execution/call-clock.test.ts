import { setImmediate, setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { CallClock } from './call-clock.ts';
import type { StopReason } from './ended-early.ts';

const clocks: CallClock[] = [];
afterEach(() => {
  for (const clock of clocks.splice(0)) clock.stop();
});

function clockOf(limitMs: number) {
  const controller = new AbortController();
  const stops: StopReason[] = [];
  const stopped = Promise.withResolvers<StopReason>();
  const clock = new CallClock(controller.signal, limitMs, (reason) => {
    stops.push(reason);
    stopped.resolve(reason);
  });
  clocks.push(clock);
  return { clock, controller, stops, stopped: stopped.promise };
}

/** Keeps this process busy: no timer runs meanwhile, and what became due stays due. */
function block(forMs: number): void {
  const until = performance.now() + forMs;
  while (performance.now() < until);
}

/** Long enough for whatever is due. */
const due = async () => {
  await setTimeout(60);
  await setImmediate();
};

describe('CallClock', () => {
  it('stands still while it is held, and goes on when the last one lets go', async () => {
    const { clock, stops, stopped } = clockOf(20);
    clock.begin();
    clock.hold(true);
    clock.hold(true);
    await due();
    clock.hold(false);
    await due();
    expect(stops).toEqual([]);
    clock.hold(false);
    expect(await stopped).toBe('timeout');
  });

  it('can be held before the code begins', async () => {
    const { clock, stops, stopped } = clockOf(20);
    clock.hold(true);
    clock.begin();
    await due();
    expect(stops).toEqual([]);
    clock.hold(false);
    expect(await stopped).toBe('timeout');
  });

  it('gives nothing back of what was used before', async () => {
    const { clock, stopped } = clockOf(1_000);
    clock.begin();
    block(1_050);
    // The limit was reached already, unnoticed; had the clock started anew, the race would be lost.
    clock.hold(true);
    clock.hold(false);
    expect(await Promise.race([stopped, setTimeout(800, 'a new limit', { ref: false })])).toBe('timeout');
  });

  it('is not ended by a limit that was reached just before, when a person is waited for by now', async () => {
    const { clock, stops, stopped } = clockOf(20);
    clock.begin();
    // Runs behind the timer of the limit, and before what that one puts off.
    const held = setTimeout(20).then(() => clock.hold(true));
    block(40);
    await held;
    await due();
    expect(stops).toEqual([]);
    clock.hold(false);
    expect(await stopped).toBe('timeout');
  });

  it('is ended at once by an abort, however often it is held, and only once', async () => {
    const { clock, controller, stops } = clockOf(20);
    clock.begin();
    clock.hold(true);
    clock.hold(true);
    controller.abort();
    expect(stops).toEqual(['cancel']);
    clock.hold(false);
    clock.hold(false);
    await due();
    expect(stops).toEqual(['cancel']);
  });

  it('is not started again by what lets go after its end', () => {
    const { clock } = clockOf(60_000);
    clock.begin();
    clock.hold(true);
    clock.stop();
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    clock.hold(false);
    expect(timers()).toBe(before);
  });

  it('ends nothing when the call ended just before its limit was noticed', async () => {
    const { clock, stops } = clockOf(20);
    clock.begin();
    const ended = setTimeout(20).then(() => clock.stop());
    block(40);
    await ended;
    await due();
    expect(stops).toEqual([]);
  });
});
