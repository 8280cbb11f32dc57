import { describe, expect, it } from 'vitest';
import { ends } from './fixtures/crash-checks.ts';
import { findNothing, finish } from './fixtures/crash-lives.ts';
import { createCrashWorld, type LifePlan } from './fixtures/crash-world.ts';

const plan: LifePlan = { arrivals: [{ id: 'm1', text: 'write' }], settings: {}, answers: {} };

describe('a process that is killed while it delivers a reply', () => {
  it.concurrent.each([
    ['before', 0],
    ['after', 1],
  ] as const)('%s it is out leaves one of unknown fate, which is shown and not repeated', async (place, times) => {
    await using world = await createCrashWorld();
    const { signal } = await world.begin({ ...plan, diesDelivering: place }).ended;
    expect(signal).toBe('SIGKILL');
    // Replies go out in the order of their turns: once the second one has, the first one was looked at.
    const second = { id: 'm2', text: 'put', after: 'ended' } as const;
    const longer = { ...plan, arrivals: [...plan.arrivals, second] };
    const report = await finish(world, longer);
    const [one, other] = report.turns;
    expect(report.replies).toMatchObject([{ turnId: one?.id, state: 'unknown', status: 'done' }]);
    const delivered = world.delivered().map(({ turnId }) => turnId);
    expect(delivered).toEqual([...Array.from({ length: times }, () => one?.id), other?.id]);
    expect(ends(report)).toEqual(['write success', 'put success']);
    await findNothing(world, longer, report);
  });
});

describe('a turn that ends every process which takes it up', () => {
  it('is given up, and says so', async () => {
    await using world = await createCrashWorld();
    let deaths = 0;
    for (; deaths < 20; deaths += 1) {
      const { signal } = await world.begin(plan, 'call.start:before').ended;
      if (signal === null) break;
    }
    expect(deaths).toBeGreaterThan(2);
    const report = await finish(world, plan);
    expect(report.turns).toMatchObject([{ status: 'failed', error: { code: 'INTERNAL' } }]);
    expect(ends(report)).toEqual(['write CANCELLED']);
    expect(world.effects()).toEqual([]);
    expect(world.server.requests).toHaveLength(1);
    expect(report.turns[0]?.epoch).toBeLessThan(20);
    await findNothing(world, plan, report);
  });
});
