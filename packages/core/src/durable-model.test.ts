import * as fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { durablePlans } from './fixtures/durable-commands.ts';
import type { DurableEvent } from './fixtures/durable-journal.ts';
import { durableJournalText } from './fixtures/durable-journal-text.ts';
import { runDurable } from './fixtures/durable-run.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** More of them, for a long run: `BAIGONG_MODEL_RUNS=5000`; one again: `BAIGONG_MODEL_SEED`, `BAIGONG_MODEL_PATH`. */
const { BAIGONG_MODEL_RUNS: runs = '150', BAIGONG_MODEL_SEED: seed, BAIGONG_MODEL_PATH: path } = process.env;
const numRuns = Number(runs);

/** Milliseconds that one run may take by far. */
const LONGEST_RUN_MS = 2_000;
/** What is left for making a counterexample smaller. */
const SHRINKING_MS = 60_000;

it('whatever happens in whatever order: nothing runs twice, or without the approval that it needs, and all has one end', {
  timeout: numRuns * LONGEST_RUN_MS + 2 * SHRINKING_MS,
}, async () => {
  const seen = new Set<string>();
  const now = Date.now;
  let ahead = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
  const clock = {
    advance(ms: number) {
      ahead += ms;
    },
  };
  await fc.assert(
    fc.asyncProperty(durablePlans, async (plan) => {
      const { faults, journal } = await runDurable(plan, clock);
      for (const event of journal) for (const kind of kindsOf(event)) seen.add(kind);
      if (faults.length > 0) throw new Error(`${faults.join('\n')}\n${durableJournalText(journal)}`);
    }),
    {
      numRuns,
      interruptAfterTimeLimit: numRuns * LONGEST_RUN_MS + SHRINKING_MS,
      ...(seed === undefined ? {} : { seed: Number(seed) }),
      ...(path === undefined ? {} : { path }),
    },
  );
  // A few plans may miss some of it; so many must not, or the test has lost its teeth.
  if (numRuns >= ENOUGH_RUNS && path === undefined) expect([...seen]).toEqual(expect.arrayContaining(COMMON));
});

const ENOUGH_RUNS = 150;

/** What happens several times in any so many runs. */
const COMMON = [
  'effect',
  'gone',
  'claim',
  'cancel',
  'reset',
  'reply',
  'turn.park',
  'call.retry',
  'approved counted',
  'approved late',
  'denied counted',
  'denied late',
  'answered counted',
  'expired counted',
  'APPROVAL_DENIED',
  'APPROVAL_TIMEOUT',
  'OUTCOME_UNKNOWN',
  'TIMEOUT',
  'CANCELLED',
];

function kindsOf(event: DurableEvent): readonly string[] {
  switch (event.kind) {
    case 'answer':
      return [`${event.answer.kind} ${event.result}`];
    case 'commit': {
      const { calls = [], turn } = event.change;
      const moves = calls.map((move) =>
        move.move === 'call.end' && move.outcome.status === 'error' ? move.outcome.code : move.move,
      );
      return turn === undefined ? moves : [...moves, turn.move];
    }
    default:
      return [event.kind];
  }
}
