import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRuntime } from './index.ts';
import type { Runtime } from './runtime-face.ts';

describe('createRuntime', () => {
  it.each([
    ['replies', async () => {}],
    ['replies', { send: 1, reaches: () => true }],
    ['roleOf', 5],
    ['onTakeUp', 'x'],
    ['onNotice', {}],
    ['takeUp', 'no'],
    ['watch', 1],
    ['store', 7],
    ['store', {}],
    ['store', { file: 5 }],
    ['tools', 5],
    ['sources', {}],
    ['sources', [5]],
    ['sources', [null]],
    ['model', 5],
    ['model', {}],
    ['project', null],
    ['config', []],
    ['flags', {}],
    ['flags', new Map([['turn.maxSteps', 5]])],
    ['limits', 3],
  ])('refuses the option %s: %j', async (name, value) => {
    const refused = createRuntime({ environment: {}, [name]: value } as never);
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_OPTION', reason: { values: { name } } });
  });

  it('refuses an option that there is not, and takes what is undefined for left out', async () => {
    await expect(createRuntime({ stoer: 'memory' } as never)).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      message: expect.stringMatching(/no option stoer.*store/),
    });
    await expect(createRuntime('./project' as never)).rejects.toMatchObject({ code: 'INVALID_OPTION' });
    const undefinedAll = { replies: undefined, store: undefined, environment: {} } as never;
    await (await createRuntime(undefinedAll)).close();
  });

  it('watches nothing where there is nothing to watch', async () => {
    await (await createRuntime({ store: 'memory', environment: {}, watch: true })).close();
  });
});

describe('a runtime refuses as bad input, before anything is done,', () => {
  let runtime: Runtime;
  beforeAll(async () => {
    runtime = await createRuntime({ store: 'memory', environment: {} });
  });
  afterAll(() => runtime.close());

  const calls: readonly (readonly [string, (one: Runtime) => unknown])[] = [
    ['a request that is none', (one) => one.run('hi' as never)],
    ['no request', (one) => one.run(undefined as never)],
    ['a null for a request', (one) => one.run(null as never)],
    ['a null for options', (one) => one.call('x', {}, null as never)],
    ['calls by number', (one) => one.calls(5 as never)],
    ['a turn by object', (one) => one.turn({} as never)],
    ['messages of nothing', (one) => one.messages(undefined as never)],
    ['a record by number', (one) => one.record(5 as never)],
    ['an attended that is text', (one) => one.run({ text: 'hi', attended: 'no' as never })],
    ['an overlap that is none', (one) => one.run({ text: 'hi', overlap: 'queue' as never })],
    ['an origin of no kind', (one) => one.run({ text: 'hi', origin: { kind: 'fax' as never } })],
    ['a signal that is none', (one) => one.run({ text: 'hi', signal: {} as never })],
    ['a call for nobody at a fax', (one) => one.call('x', {}, { origin: null as never })],
    ['a code that is a number', (one) => one.answer(5 as never, { approve: true })],
    ['an answer that is text', (one) => one.answer('K7M2QD', 'yes' as never)],
    ['an answer that says neither', (one) => one.answer('K7M2QD', {} as never)],
    ['an answer that is missing', (one) => one.answer('K7M2QD', undefined as never)],
    ['an approve that is text', (one) => one.answer('K7M2QD', { approve: 'no' } as never)],
    ['a by that is text', (one) => one.answer('K7M2QD', { approve: true }, 'me' as never)],
    ['nothing to cancel', (one) => one.cancel(undefined as never)],
    ['a turn that is a number', (one) => one.cancel({ turn: 5 } as never)],
    ['states that are no list', (one) => one.asks({ states: 'open' } as never)],
    ['a state that is none', (one) => one.asks({ states: ['nope'] } as never)],
    ['an ask by number', (one) => one.ask(5 as never)],
    ['an end by number', (one) => one.ended(5 as never)],
    ['a grace that is text', (one) => one.close({ graceMs: 'x' as never })],
    ['a grace that is no number', (one) => one.close({ graceMs: Number.NaN })],
  ];

  it.each(calls)('%s', async (_what, call) => {
    await expect((async () => call(runtime))()).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(await runtime.turns()).toEqual([]);
    // It still serves.
    expect(await runtime.asks()).toEqual([]);
  });
});

it.each<[string, (one: Runtime) => unknown]>([
  ['asks', (one) => one.asks()],
  ['ask', (one) => one.ask('K7M2QD')],
  ['answer', (one) => one.answer('K7M2QD', { approve: true })],
  ['cancel', (one) => one.cancel({ turn: 'x' })],
  ['ended', (one) => one.ended('x')],
  ['takeUp', (one) => one.takeUp()],
  ['replies', (one) => one.replies()],
  ['calls', (one) => one.calls('x')],
  ['turns', (one) => one.turns()],
])('a closed runtime says so to %s', async (_name, call) => {
  const runtime = await createRuntime({ store: 'memory', environment: {} });
  await runtime.close();
  await expect((async () => call(runtime))()).rejects.toMatchObject({ code: 'CLOSED' });
});
