import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ends, told } from './fixtures/crash-checks.ts';
import { findNothing, finish } from './fixtures/crash-lives.ts';
import { createCrashWorld, type LifePlan } from './fixtures/crash-world.ts';

const GIVE_UP_MS = 15_000;

/**
 * A process of this machine that still exists counts as stuck after 30 s without a word. That is not waited for here: the
 * other process is told by an option of its store that nobody else lives.
 */
describe('a process that stood still for so long that another one took its turn', () => {
  it.concurrent.each([
    ['a call that may not run again', 'gated', ['gated OUTCOME_UNKNOWN'], 1],
    ['a call that may run again', 'gated_put', ['gated_put success'], 2],
  ])('changes nothing any more when it goes on: %s', async (_what, tool, expected, runs) => {
    await using world = await createCrashWorld();
    const plan: LifePlan = { arrivals: [{ id: 'm1', text: tool }], settings: {}, answers: {} };
    const stalled = world.begin(plan);
    const happened = async (count: number) => {
      const giveUpAt = Date.now() + GIVE_UP_MS;
      while (world.effects().length < count) {
        if (Date.now() > giveUpAt) throw new Error(`only ${world.effects().length} effects`);
        await sleep(10);
      }
    };
    await happened(1);
    stalled.kill('SIGSTOP');
    const other = finish(world, { ...plan, believesNobody: true });
    // The call of the stalled process still runs; where it may run again, so does another run of it.
    if (runs > 1) {
      await happened(runs);
      await world.openGate();
    }
    const report = await other;
    expect(ends(report)).toEqual(expected);
    await world.openGate();
    stalled.kill('SIGCONT');
    const { report: late, stderr } = await stalled.ended;
    expect(stderr).toBe('');
    // It saw its turn go, told what came of its call and nobody of an end, and finds what the other one made of it.
    const [turn] = report.turns;
    expect(late?.events[turn?.id ?? '']).toEqual([
      'turn-start',
      'step-start',
      'tool-start',
      'late-result',
      'turn-parked',
    ]);
    const { turns, calls, messages, asks, replies } = report;
    expect(late).toMatchObject({ turns, calls, messages, asks, replies });
    expect(world.effects()).toHaveLength(runs);
    expect(new Set(world.effects().map(({ key }) => key)).size).toBe(1);
    expect(told(world)).toHaveLength(1);
    await findNothing(world, plan, report);
  });
});
