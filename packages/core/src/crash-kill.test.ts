import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ToolMessage } from './contracts/message.ts';
import { findNothing, finish } from './fixtures/crash-lives.ts';
import type { Arrival } from './fixtures/crash-plan.ts';
import { type CrashWorld, createCrashWorld, type Life, type LifePlan } from './fixtures/crash-world.ts';

const KILLS = 10;

/** A slow call takes about 120 ms, its change of the world in the middle; some moments lie behind its end. */
const LONGEST_MS = 160;

/** Numbers from 0 to 1, the same for the same seed. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Until so many slow calls were begun, or the process ended without. */
async function begun(world: CrashWorld, count: number, life: Life): Promise<void> {
  let isOver = false;
  void life.ended.finally(() => {
    isOver = true;
  });
  while (world.begun() < count) {
    if (isOver) throw new Error(`a process ended before its call was begun: ${(await life.ended).stderr}`);
    await sleep(5);
  }
}

describe('a process that is killed at any moment while a tool runs', () => {
  it.concurrent.each([1, 2])(
    'loses nothing and does nothing twice, ten times in a row, by seed %i',
    { timeout: 180_000 },
    async (seed) => {
      await using world = await createCrashWorld();
      const random = numbersFrom(seed);
      const arrivals: Arrival[] = [];
      // The same call all the time: from the first unknown fate on, a person is asked about it.
      const plan: LifePlan = { arrivals, settings: {}, answers: { slow: { approve: true } } };
      let killed = 0;
      for (let number = 1; number <= KILLS; number += 1) {
        // What the one before left goes on first: they are of one session.
        arrivals.push({ id: `m${number}`, text: 'slow' });
        const life = world.begin(plan);
        await begun(world, number, life);
        await sleep(random() * LONGEST_MS);
        life.kill('SIGKILL');
        const { signal, stderr } = await life.ended;
        expect(stderr).toBe('');
        if (signal === 'SIGKILL') killed += 1;
      }
      expect(killed).toBeGreaterThan(0);
      const report = await finish(world, plan);
      expect(report.turns.map(({ status }) => status)).toEqual(arrivals.map(() => 'done'));
      const results = report.messages.filter((one): one is ToolMessage => one.role === 'tool');
      expect(results).toHaveLength(KILLS);
      // It is the same call each time: while nobody knows whether it happened, a person is asked first.
      let isDoubted = false;
      for (const { callId, outcome } of results) {
        expect(report.asks.some((ask) => ask.callId === callId)).toBe(isDoubted);
        if (outcome.effect === 'unknown') isDoubted = true;
        else if (outcome.status === 'success') isDoubted = false;
      }
      await findNothing(world, plan, report);
    },
  );
});
