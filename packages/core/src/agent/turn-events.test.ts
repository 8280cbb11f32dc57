import { expect, it } from 'vitest';
import { createTurnEvents } from './turn-events.ts';

async function read(events: AsyncIterable<{ readonly seq: number }>): Promise<number[]> {
  const seen: number[] = [];
  for await (const event of events) seen.push(event.seq);
  return seen;
}

it('gives every reader every event, early, late and after the end', async () => {
  const events = createTurnEvents('t');
  const early = read(events);
  events.emit({ type: 'step-start', step: 1 }, 0);
  const late = read(events);
  await Promise.resolve();
  events.emit({ type: 'step-start', step: 2 }, 0);
  events.emit({ type: 'step-start', step: 3 }, 0);
  events.end();
  expect(await Promise.all([early, late, read(events)])).toEqual([
    [0, 1, 2],
    [0, 1, 2],
    [0, 1, 2],
  ]);
});
