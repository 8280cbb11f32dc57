import { createProject, type ScriptedAnswer, startScriptedModel } from '@baigong/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRuntime, type Turn, type TurnEvent } from './index.ts';

type EventOf<Type extends TurnEvent['type']> = Extract<TurnEvent, { readonly type: Type }>;

/** What a turn must lead to for the event to come, and what the event then says. */
interface Row<Type extends TurnEvent['type']> {
  readonly answers: readonly ScriptedAnswer[];
  /** Who reads the events: `Session` and turn of the run. */
  readonly says: (events: readonly EventOf<Type>[], turnId: string) => void;
}

const greets: readonly ScriptedAnswer[] = [{ text: 'good day', usage: { inputTokens: 7, outputTokens: 3 } }];
const waters: readonly ScriptedAnswer[] = [
  { calls: [{ name: 'water', input: { litres: 2 } }] },
  { text: 'watered', usage: { inputTokens: 5, outputTokens: 1 } },
];

const asks: readonly ScriptedAnswer[] = [{ calls: [{ name: 'dig', input: {} }] }, { text: 'not dug' }];

/** One row for each type: an event without a row does not compile. */
const rows: { readonly [Type in TurnEvent['type']]: Row<Type> } = {
  'turn-start': {
    answers: greets,
    says: (events) =>
      expect(events).toMatchObject([{ seq: 0, sessionKey: 'garden', generation: 1, model: 'openai/some-model' }]),
  },
  'step-start': {
    answers: waters,
    says: (events) => expect(events.map(({ step }) => step)).toEqual([1, 2]),
  },
  'text-delta': {
    answers: greets,
    says: (events) => {
      expect(events.map(({ text }) => text).join('')).toBe('good day');
      expect(new Set(events.map(({ step }) => step))).toEqual(new Set([1]));
    },
  },
  'reasoning-delta': {
    answers: [{ reasoning: 'A greeting is due.', text: 'good day' }],
    says: (events) => {
      expect(events.map(({ text }) => text).join('')).toBe('A greeting is due.');
      expect(new Set(events.map(({ step }) => step))).toEqual(new Set([1]));
    },
  },
  'tool-start': {
    answers: waters,
    says: (events, turnId) =>
      expect(events).toMatchObject([{ callId: `${turnId}.1.0`, name: 'water', rawInput: '{"litres":2}' }]),
  },
  'tool-progress': {
    answers: waters,
    says: (events, turnId) =>
      expect(events.map(({ callId, value }) => [callId, value])).toEqual([
        [`${turnId}.1.0`, { poured: 1 }],
        [`${turnId}.1.0`, { poured: 2 }],
      ]),
  },
  'tool-end': {
    answers: waters,
    says: (events, turnId) =>
      expect(events).toMatchObject([
        { callId: `${turnId}.1.0`, name: 'water', outcome: { status: 'success', result: { value: 'wet' } } },
      ]),
  },
  // It takes a second process to make it come: durable-turn.test.ts "a result that comes too late".
  'late-result': { answers: greets, says: () => {} },
  'ask-open': {
    answers: asks,
    says: (events) => expect(events).toMatchObject([{ ask: { state: 'open', card: { tool: 'dig' } } }]),
  },
  'ask-closed': {
    answers: asks,
    says: (events) => expect(events).toMatchObject([{ answer: { kind: 'denied', reason: 'no' } }]),
  },
  'turn-parked': {
    answers: [{ calls: [{ name: 'dig', input: { how: 'later' } }] }],
    says: (events) => expect(events).toMatchObject([{ asks: [{ state: 'open', card: { tool: 'dig' } }] }]),
  },
  'turn-resumed': {
    answers: [{ calls: [{ name: 'dig', input: { how: 'later' } }] }, { text: 'dug' }],
    says: (events) => expect(events).toMatchObject([{ seq: 0, sessionKey: 'garden', generation: 1 }]),
  },
  'turn-end': {
    answers: greets,
    says: (events) =>
      expect(events).toMatchObject([{ status: 'done', usage: { inputTokens: 7, outputTokens: 3, cachedTokens: 0 } }]),
  },
};

let project: Awaited<ReturnType<typeof createProject>>;
beforeAll(async () => {
  project = await createProject({
    'tools/water/index.ts': `
      import { defineAgentTool } from 'baigong';
      export default defineAgentTool({
        description: 'Waters the garden.', requiresApproval: 'never',
        inputSchema: { type: 'object', properties: { litres: { type: 'number' } } },
        execute({ litres }, { progress }) {
          for (let poured = 1; poured <= litres; poured += 1) progress({ poured });
          return 'wet';
        },
      });`,
    'tools/dig/index.ts': `
      import { defineAgentTool } from 'baigong';
      export default defineAgentTool({ description: 'Digs.', requiresApproval: 'always', execute: () => 'dug' });`,
  });
});
afterAll(() => project.remove());

async function eventsOf(format: 'openai' | 'anthropic', answers: readonly ScriptedAnswer[], isResumed = false) {
  await using server = await startScriptedModel({ answers });
  const runtime = await createRuntime({
    project: project.root,
    home: project.root,
    store: 'memory',
    takeUp: false,
    settings: { turn: { parkAfterMs: 20 } },
    model: `${format}/some-model`,
    environment: {
      [`${format.toUpperCase()}_BASE_URL`]: server.baseUrl,
      [`${format.toUpperCase()}_API_KEY`]: 'scripted',
    },
  });
  try {
    let turn: Turn = runtime.run({ text: 'go', session: 'garden', attended: true });
    const events: TurnEvent[] = [];
    for await (const event of turn) {
      events.push(event);
      if (event.type !== 'ask-open' || event.ask.kind !== 'approval') continue;
      // What is asked `later` is answered when its turn has parked.
      if (event.ask.card.arguments === '{}') await runtime.answer(event.ask.id, { approve: false, reason: 'no' });
    }
    if (isResumed) {
      const [ask] = await runtime.asks();
      await runtime.answer(ask?.id ?? '', { approve: true });
      const [resumed] = await runtime.takeUp();
      if (resumed === undefined) throw new Error('nothing went on');
      turn = resumed;
      events.length = 0;
      for await (const event of turn) events.push(event);
    }
    return { id: turn.id, events };
  } finally {
    await runtime.close();
  }
}

/** Judges a row by the events of its type only. */
function judge<Type extends TurnEvent['type']>(type: Type, events: readonly TurnEvent[], turnId: string): void {
  const own = events.filter((event): event is EventOf<Type> => event.type === type);
  expect(own).not.toEqual([]);
  rows[type].says(own, turnId);
}

describe('every event of a turn', () => {
  const types = (Object.keys(rows) as readonly TurnEvent['type'][]).filter((type) => type !== 'late-result');
  it.each(types)('%s', async (type) => {
    const before = Date.now();
    const { id, events } = await eventsOf('openai', rows[type].answers, type === 'turn-resumed');
    judge(type, events, id);
    expect(events.map(({ seq, turnId }) => [seq, turnId])).toEqual(events.map((_, index) => [index, id]));
    expect(events.every(({ at }) => at >= before && at <= Date.now())).toBe(true);
    expect([events[0]?.type, events.at(-1)?.type]).toEqual([
      type === 'turn-resumed' ? type : 'turn-start',
      type === 'turn-parked' ? type : 'turn-end',
    ]);
  });

  it('reasoning-delta, where the format calls it thinking', async () => {
    const { id, events } = await eventsOf('anthropic', rows['reasoning-delta'].answers);
    judge('reasoning-delta', events, id);
  });

  it('turn-end with an error says which', async () => {
    const { events } = await eventsOf('openai', [{ error: { status: 401 } }]);
    expect(events.at(-1)).toMatchObject({
      type: 'turn-end',
      status: 'failed',
      error: { code: 'MODEL_UNAVAILABLE', message: { key: expect.stringMatching(/^[a-z]+\./) } },
    });
  });

  it('tool-end of a call that failed says why', async () => {
    const { events } = await eventsOf('openai', [{ calls: [{ name: 'wather' }] }, { text: 'so it is' }]);
    expect(events.find(({ type }) => type === 'tool-end')).toMatchObject({
      name: 'wather',
      outcome: { status: 'error', code: 'UNKNOWN_TOOL', effect: 'none' },
    });
  });
});
