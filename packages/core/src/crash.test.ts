import { describe, expect, it } from 'vitest';
import { type TransitionName, transitions } from './contracts/turn-machine.ts';
import { ends, told } from './fixtures/crash-checks.ts';
import { die, findNothing, finish } from './fixtures/crash-lives.ts';
import { createPlaces } from './fixtures/crash-places.ts';
import { type Crash, moreCrashes, places, type Scenario, scenarios } from './fixtures/crash-scenarios.ts';
import { type CrashWorld, createCrashWorld } from './fixtures/crash-world.ts';

const inPlace = createPlaces(2);

const names = Object.keys(transitions) as readonly TransitionName[];
const everyCrash = names.flatMap((name) =>
  (['before', 'after'] as const).map((place): Crash => {
    const { scenario, before, ends: changed } = places[name];
    const ends = changed?.[place];
    const at = [...(before === undefined ? [] : [before]), `${name}:${place}` as const];
    return { scenario, at, ...(ends === undefined ? {} : { ends }) };
  }),
);

const titled = (crashes: readonly Crash[]) =>
  crashes.map((crash) => [`${crash.at.join(', then ')} (${crash.scenario})`, crash] as const);

async function survive({ scenario, at, ends: expected, turns }: Crash): Promise<void> {
  await using world = await createCrashWorld();
  const plan: Scenario = scenarios[scenario];
  for (const failpoint of at) await die(world, plan, failpoint);
  const report = await finish(world, plan);
  expect(ends(report)).toEqual(expected ?? plan.ends);
  expect(report.turns.map(({ status }) => status)).toEqual(turns ?? plan.turns);
  expect(report.asks).toHaveLength(plan.asks);
  if (plan.told !== undefined) expect(told(world).join('\n')).toContain(plan.told);
  await findNothing(world, plan, report);
  if (expected?.[0] === 'write OUTCOME_UNKNOWN') await doubt(world, plan);
}

/** The model has heard that it may have happened, and a person is asked before the same call is made again. */
async function doubt(world: CrashWorld, plan: Scenario): Promise<void> {
  expect(told(world)).toEqual([expect.stringMatching(/OUTCOME_UNKNOWN[\s\S]*may have happened/)]);
  const before = world.effects().length;
  const again = { id: 'again', text: 'write', after: 'ended' } as const;
  const { asks } = await finish(world, {
    ...plan,
    arrivals: [...plan.arrivals, again],
    answers: { write: { approve: true } },
  });
  expect(asks).toMatchObject([{ kind: 'approval', needsPerson: true, state: 'approved' }]);
  expect(world.effects()).toHaveLength(before + 1);
}

describe('a process that is killed loses nothing and does nothing twice', () => {
  it('at any transition: each has a scenario', () => {
    expect(Object.keys(places)).toEqual(names);
  });

  // Those that wait for their place count as running.
  const limit = { timeout: 180_000 };

  it.concurrent.each(titled(everyCrash))('at %s', limit, (_title, crash) => inPlace(() => survive(crash)));

  it.concurrent.each(titled(moreCrashes))('at %s', limit, (_title, crash) => inPlace(() => survive(crash)));
});
