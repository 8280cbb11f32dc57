import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createProject,
  type ScriptedAnswer,
  type ScriptedModelServer,
  startScriptedModel,
  type TemporaryProject,
} from '@baigong/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { toolFiles } from './fixtures/tool-files.ts';
import {
  createRuntime,
  type Principal,
  type Runtime,
  type RuntimeOptions,
  renderText,
  type Store,
  type TurnChange,
  type TurnEvent,
  type TurnResult,
} from './index.ts';
import { createMemoryStore, StoreError } from './store/index.ts';

type Format = 'openai' | 'anthropic';

let project: TemporaryProject;
const open: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  project = await createProject(toolFiles);
});
afterAll(() => project.remove());
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function scripted(answers: readonly ScriptedAnswer[]): Promise<ScriptedModelServer> {
  const server = await startScriptedModel({ answers });
  open.push(server);
  return server;
}

async function start(
  server: ScriptedModelServer | undefined,
  format: Format,
  options: RuntimeOptions = {},
): Promise<Runtime> {
  const environment =
    server === undefined
      ? {}
      : format === 'openai'
        ? { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: 'scripted' }
        : { ANTHROPIC_BASE_URL: server.baseUrl, ANTHROPIC_API_KEY: 'scripted' };
  const runtime = await createRuntime({ project: project.root, store: 'memory', environment, ...options });
  open.push(runtime);
  return runtime;
}

const user: Principal = { id: 'a:b:u', userId: 'u', role: 'user', platformRoles: [], authentication: 'platform' };

describe.each(['openai', 'anthropic'] as const)('a turn over HTTP in the %s format', (format) => {
  it('runs two calls of one step, one of them failing, and hands both results back', async () => {
    const server = await scripted([
      {
        text: 'Let me see.',
        calls: [
          { name: 'add', input: { a: 2 } },
          { name: 'fail', input: {} },
        ],
      },
      { text: 'The sum is 3; the pump failed.' },
    ]);
    const runtime = await start(server, format);
    const turn = runtime.run({ text: 'add 2 and 1, then pump' });
    const events: TurnEvent[] = [];
    for await (const event of turn) events.push(event);
    const result = await turn.result;

    expect(result).toMatchObject({ status: 'done', steps: 2, text: 'Let me see.\n\nThe sum is 3; the pump failed.' });
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index));
    const types = events.map((event) => event.type);
    expect(types.filter((type, index) => type !== types[index - 1])).toEqual([
      'turn-start',
      'step-start',
      'text-delta',
      'tool-start',
      'tool-end',
      'tool-start',
      'tool-end',
      'step-start',
      'text-delta',
      'turn-end',
    ]);
    expect(events.filter((event) => event.type === 'text-delta').length).toBeGreaterThan(2);

    const [first, second] = server.requests;
    expect(first?.toolNames).toEqual(
      Object.keys(toolFiles)
        .filter((path) => path.endsWith('index.ts'))
        .map((path) => path.split('/')[1])
        .filter((name) => name !== 'quiet')
        .sort(),
    );
    expect(first?.tools.find((tool) => tool.name === 'add')).toMatchObject({
      description: 'Adds two numbers. Use for sums.',
      schema: {
        type: 'object',
        properties: { a: { type: 'number' }, b: { type: 'number', default: 1 } },
        required: ['a'],
      },
    });
    expect(first?.messages).toMatchObject([{ role: 'user', text: 'add 2 and 1, then pump' }]);
    const [, assistant, results] = second?.messages ?? [];
    expect(second?.messages).toHaveLength(3);
    expect(assistant).toMatchObject({ role: 'assistant', text: 'Let me see.' });
    expect(assistant?.calls.map(({ name, input }) => ({ name, input }))).toEqual([
      { name: 'add', input: { a: 2 } },
      { name: 'fail', input: {} },
    ]);
    expect(results?.results.map((one) => one.callId)).toEqual(assistant?.calls.map((call) => call.id));
    const [sum, failure] = results?.results.map((one) => JSON.parse(one.text)) ?? [];
    expect(sum).toEqual({ sum: 3 });
    expect(failure).toMatchObject({
      status: 'error',
      error_type: 'EXECUTION_ERROR',
      effect: 'unknown',
      retryable: false,
    });
    expect(failure.message).toContain('the pump is dry');
    expect(JSON.stringify(failure)).not.toMatch(/\bat \b|\.ts|node:/);
  });

  it('keeps every call and result of the turn in the messages, and stores them', async () => {
    const server = await scripted([
      { calls: [{ name: 'add', input: { a: 1 } }] },
      { calls: [{ name: 'add', input: { a: 2 } }] },
      { text: 'done' },
    ]);
    const runtime = await start(server, format);
    const turn = runtime.run({ text: 'go' });
    await turn.result;
    expect(server.requests.map((request) => request.messages.map((message) => message.role))).toEqual([
      ['user'],
      ['user', 'assistant', 'tool'],
      ['user', 'assistant', 'tool', 'assistant', 'tool'],
    ]);
    const stored = await runtime.messages(turn.id);
    expect(stored.map((message) => message.role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
      'assistant',
    ]);
    const record = await runtime.record(turn.id);
    expect(record.map((entry) => entry.kind)).toEqual([
      'turn-start',
      ...['model-request', 'model-answer', 'call-start', 'call-end'],
      ...['model-request', 'model-answer', 'call-start', 'call-end'],
      ...['model-request', 'model-answer', 'turn-end'],
    ]);
    expect(record.find((entry) => entry.kind === 'call-start')?.body).toMatchObject({
      callId: `${turn.id}.1.0`,
      tool: 'add',
      input: { a: 1 },
    });
    expect(record.find((entry) => entry.kind === 'turn-start')?.body).toMatchObject({
      table: runtime.table.digest,
      origin: { kind: 'api' },
      principal: { role: 'master' },
    });
  });

  it.each([
    ['an unknown name', { name: 'ad', input: {} }, 'UNKNOWN_TOOL', 'add'],
    ['a hidden tool', { name: 'quiet', input: {} }, 'UNKNOWN_TOOL', ''],
    ['a prototype’s name', { name: 'toString', input: {} }, 'UNKNOWN_TOOL', ''],
    ['arguments that do not fit', { name: 'add', input: { a: 'two' } }, 'INVALID_ARGUMENTS', '/a'],
    [
      'an integer that would be rounded',
      { name: 'echo', rawInput: '{"count":9007199254740993}' },
      'INVALID_ARGUMENTS',
      '9007199254740993',
    ],
    ['a dangerous tool', { name: 'kick', input: {} }, 'NEEDS_HUMAN', ''],
  ])('answers %s with an error that the model can read, and the turn goes on', async (_what, call, code, said) => {
    const server = await scripted([{ calls: [call] }, { text: 'I see.' }]);
    const runtime = await start(server, format);
    const { status, text } = await runtime.run({ text: 'go' }).result;
    expect({ status, text }).toEqual({ status: 'done', text: 'I see.' });
    const result = server.requests[1]?.messages.at(-1)?.results[0];
    expect(JSON.parse(result?.text ?? '')).toMatchObject({ status: 'error', error_type: code, effect: 'none' });
    if (format === 'openai' || !('rawInput' in call)) expect(result?.text).toContain(said);
    await expect(readFile(join(project.root, 'kicked.txt'))).rejects.toThrow('ENOENT');
  });

  it('tells the user in one sentence that the model refused the key, and nothing of the key', async () => {
    const server = await scripted([{ error: { status: 401, message: 'bad key scripted' } }]);
    const runtime = await start(server, format);
    const result = await runtime.run({ text: 'hi' }).result;
    expect(result).toMatchObject({ status: 'failed', error: { code: 'MODEL_UNAVAILABLE' } });
    const [turn] = await runtime.turns();
    const [, note] = await runtime.messages(turn?.id ?? '');
    expect(JSON.stringify(note)).not.toContain('scripted');
  });
});

const said = (error: TurnResult['error']) => (error === undefined ? '' : renderText(error.message, 'en'));

describe('the turn', () => {
  it('ends an endless tool at its limit while another answers', async () => {
    const server = await scripted([
      { when: { lastUser: 'loop', lastRole: 'user' }, calls: [{ name: 'endless' }, { name: 'add', input: { a: 1 } }] },
      { when: { lastUser: 'sum', lastRole: 'user' }, calls: [{ name: 'add', input: { a: 5 } }] },
      { when: { lastRole: 'tool' }, text: 'so it is', repeat: true },
    ]);
    const runtime = await start(server, 'openai');
    const ends: string[] = [];
    const loop = runtime.run({ text: 'loop' });
    const sum = runtime.run({ text: 'sum' });
    const watch = async (name: string, turn: typeof loop) => {
      for await (const event of turn) {
        if (event.type !== 'tool-end') continue;
        ends.push(`${name} ${event.name} ${event.outcome.status === 'error' ? event.outcome.code : 'ok'}`);
      }
    };
    await Promise.all([watch('loop', loop), watch('sum', sum)]);
    // Both other calls answered before the endless one was ended.
    expect(ends.at(-1)).toBe('loop endless TIMEOUT');
    expect(ends.slice(0, 2).sort()).toEqual(['loop add ok', 'sum add ok']);
    expect((await loop.result).status).toBe('done');
    const results = server.requests.find(
      (request) => request.messages[0]?.text === 'loop' && request.messages.length > 1,
    );
    expect(results?.messages.at(-1)?.results.map((one) => JSON.parse(one.text))).toMatchObject([
      { error_type: 'TIMEOUT', effect: 'none' },
      { sum: 2 },
    ]);
  });

  it('runs a tool named constructor', async () => {
    const server = await scripted([{ calls: [{ name: 'constructor' }] }, { text: 'ok' }]);
    const runtime = await start(server, 'openai');
    await runtime.run({ text: 'go' }).result;
    expect(server.requests[1]?.messages.at(-1)?.results[0]).toMatchObject({ name: 'constructor', text: 'built' });
  });

  it('kills a child that writes garbage into its pipe, and lives on', async () => {
    const server = await scripted([
      { calls: [{ name: 'garbage' }] },
      { calls: [{ name: 'add', input: { a: 1 } }] },
      { text: 'still here' },
    ]);
    const runtime = await start(server, 'openai');
    const result = await runtime.run({ text: 'go' }).result;
    expect(result).toMatchObject({ status: 'done', text: 'still here' });
    expect(JSON.parse(server.requests[1]?.messages.at(-1)?.results[0]?.text ?? '')).toMatchObject({
      error_type: 'EXECUTION_ERROR',
      effect: 'unknown',
    });
    expect(server.requests[2]?.messages.at(-1)?.results[0]?.text).toBe('{"sum":2}');
  });

  it('offers and runs a tool only for the role that it wants, and gives no hint that it exists', async () => {
    const server = await scripted([
      { when: { lastUser: 'user' }, calls: [{ name: 'secret' }] },
      { when: { lastUser: 'user' }, text: 'no' },
      { when: { lastUser: 'master' }, calls: [{ name: 'secret' }] },
      { when: { lastUser: 'master' }, text: 'yes' },
    ]);
    const runtime = await start(server, 'openai');
    await runtime.run({ text: 'user', principal: user }).result;
    await runtime.run({ text: 'master' }).result;
    expect(server.requests.map((request) => request.toolNames.includes('secret'))).toEqual([false, false, true, true]);
    const guessed = server.requests[1]?.messages.at(-1)?.results[0]?.text ?? '';
    const missing = (await runtime.call('secreT', {}, { principal: user })) as { code?: string };
    expect(JSON.parse(guessed)).toMatchObject({ error_type: 'UNKNOWN_TOOL' });
    expect(missing.code).toBe('UNKNOWN_TOOL');
    expect(JSON.parse(guessed).hint).not.toContain('secret');
    expect(server.requests[3]?.messages.at(-1)?.results[0]?.text).toBe('the vault is open');
  });

  it('passes exact digits of a group id to a tool that takes a string', async () => {
    const server = await scripted([
      { calls: [{ name: 'echo', rawInput: '{"group":12345678901234567890}' }] },
      { text: 'ok' },
    ]);
    const runtime = await start(server, 'openai');
    await runtime.run({ text: 'go' }).result;
    expect(server.requests[1]?.messages.at(-1)?.results[0]?.text).toBe('{"group":"12345678901234567890"}');
  });

  it('cuts a long result at a character boundary and says how much', async () => {
    const server = await scripted([{ calls: [{ name: 'chatty' }] }, { text: 'ok' }]);
    const runtime = await start(server, 'openai');
    await runtime.run({ text: 'go' }).result;
    const text = server.requests[1]?.messages.at(-1)?.results[0]?.text ?? '';
    expect(text.startsWith(`${'字'.repeat(99)}\n`)).toBe(true);
    expect(text).toContain('2000101');
    expect(text.length).toBeLessThan(250);
  });

  it('refuses the fourth equal call, and ends a turn whose model will not stop making it', async () => {
    const call = { calls: [{ name: 'add', input: { a: 1 } }] };
    const server = await scripted([{ ...call, repeat: true }]);
    const runtime = await start(server, 'openai');
    const result = await runtime.run({ text: 'go' }).result;
    expect(result).toMatchObject({ status: 'limit', error: { code: 'REPEATED_CALLS' } });
    const codes = server.requests
      .at(-1)
      ?.messages.at(-1)
      ?.results.map((one) => JSON.parse(one.text).error_type);
    expect(codes).toEqual(['DUPLICATE_CALL']);
    expect(result.steps).toBe(5);
  });

  it('stops after maxSteps with what was done so far, and the next turn knows of it', async () => {
    const answers = Array.from({ length: 3 }, (_, a) => ({ calls: [{ name: 'add', input: { a } }] }));
    const server = await scripted([...answers, { text: 'next' }]);
    const runtime = await start(server, 'openai', { limits: { maxSteps: 3 } });
    const result = await runtime.run({ text: 'go', session: 's' }).result;
    expect(result).toMatchObject({ status: 'limit', error: { code: 'MAX_STEPS' }, steps: 3 });
    expect(said(result.error)).toContain('Done so far: add, add, add.');
    expect((await runtime.run({ text: 'and now?', session: 's' }).result).text).toBe('next');
    const roles = server.requests[3]?.messages.map((message) => message.role);
    expect(roles).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool', 'assistant', 'tool', 'assistant', 'user']);
  });

  it('ends at its time limit when the model is silent', async () => {
    const server = await scripted([{ hang: true }]);
    const runtime = await start(server, 'openai', { limits: { timeoutMs: 300 } });
    expect(await runtime.run({ text: 'go' }).result).toMatchObject({
      status: 'limit',
      error: { code: 'TURN_TIMEOUT' },
    });
  });

  it('can be cancelled while a tool runs: the call gets its one result', async () => {
    const server = await scripted([
      { calls: [{ name: 'endless' }, { name: 'note', input: { text: 'late' } }] },
      { text: 'again' },
    ]);
    const runtime = await start(server, 'openai');
    const stop = new AbortController();
    const turn = runtime.run({ text: 'go', session: 's', signal: stop.signal });
    for await (const event of turn) if (event.type === 'tool-start') stop.abort();
    const { status, error } = await turn.result;
    expect(status).toBe('cancelled');
    expect(said(error)).toContain('Not done: endless (CANCELLED), note (CANCELLED).');
    const stored = await runtime.messages(turn.id);
    const outcomes = stored.flatMap((message) => (message.role === 'tool' ? [message.outcome] : []));
    expect(outcomes).toMatchObject([
      { code: 'CANCELLED', effect: 'none' },
      { code: 'CANCELLED', effect: 'none' },
    ]);
    await expect(readFile(join(project.root, 'notes.txt'))).rejects.toThrow('ENOENT');
    expect((await runtime.run({ text: 'go on', session: 's' }).result).text).toBe('again');
  });

  it('runs the turns of one session one after the other, and those of others beside them', async () => {
    const server = await scripted([
      { when: { lastUser: 'one' }, text: '1', delayMs: 20 },
      { when: { lastUser: 'two' }, text: '2' },
      { when: { lastUser: 'other' }, text: '3' },
    ]);
    const runtime = await start(server, 'openai');
    const results = await Promise.all(
      [
        { text: 'one', session: 's' },
        { text: 'two', session: 's' },
        { text: 'other', session: 't' },
      ].map((request) => runtime.run(request).result),
    );
    expect(results.map((result) => result.text)).toEqual(['1', '2', '3']);
    const two = server.requests.find((request) => request.messages.at(-1)?.text === 'two');
    expect(two?.messages.map((message) => message.text)).toEqual(['one', '1', 'two']);
    const other = server.requests.find((request) => request.messages.at(-1)?.text === 'other');
    expect(other?.messages).toHaveLength(1);
  });

  it('gives tools the configuration, in a child and inline', async () => {
    await using configured = await createProject({
      'tools/inChild/index.ts': `
        import { defineAgentTool } from 'baigong';
        export default defineAgentTool.withConfig<{ city: string }>()({
          description: 'Tells its configuration.', requiresApproval: 'never', execute: (_input, { config }) => config.city,
        });`,
    });
    const { defineAgentTool } = await import('./authoring/index.ts');
    const here = defineAgentTool.withConfig<{ city: string }>()({
      description: 'Tells its configuration.',
      requiresApproval: 'never',
      execute: (_input, { config }) => config.city,
    });
    const options = { project: configured.root, tools: { here }, config: { city: '北京' }, model: 'offline' };
    const runtime = await start(undefined, 'openai', options);
    for (const name of ['inChild', 'here']) {
      expect(await runtime.call(name, {})).toMatchObject({ status: 'success', result: { value: '北京' } });
    }
  });

  it('keeps session values for one session only, and tells progress', async () => {
    const runtime = await start(undefined, 'openai', { model: 'offline' });
    const progress: unknown[] = [];
    const call = (session: string) =>
      runtime.call('counter', {}, { session, onProgress: (value) => progress.push(value) });
    await call('a');
    expect(await call('a')).toMatchObject({
      status: 'success',
      result: { value: { count: 2, origin: 'api', role: 'master' } },
    });
    expect(await call('b')).toMatchObject({ result: { value: { count: 1 } } });
    expect(progress).toEqual([{ count: 1 }, { count: 2 }, { count: 1 }]);
  });
});

/** A store whose writes fail while `fails` says so. */
type Write = 'takeIn' | 'start' | 'result' | 'end' | 'other';

function failingStore(fails: (write: Write) => boolean): Store {
  const store = createMemoryStore();
  const kindOf = (name: PropertyKey, parameters: readonly unknown[]): Write => {
    if (name === 'takeIn') return 'takeIn';
    if (name !== 'commit') return 'other';
    const { turn, messages = [], calls = [] } = parameters[1] as TurnChange;
    if (turn?.move === 'turn.end') return 'end';
    if (messages.some(({ role }) => role === 'tool')) return 'result';
    return calls.some(({ move }) => move === 'call.start') ? 'start' : 'other';
  };
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...parameters: unknown[]) => {
        if (fails(kindOf(name, parameters))) {
          return Promise.reject(new StoreError('FAILED', { key: 'store.closed' }));
        }
        return (member as (...all: unknown[]) => unknown).apply(target, parameters);
      };
    },
  });
}

describe('a store that fails', () => {
  const pay = [
    { name: 'note', input: { text: 'PAY1' } },
    { name: 'note', input: { text: 'PAY2' } },
  ];

  it('does not hide what a turn had begun: it goes on before the next one', async () => {
    let broken = true;
    const server = await scripted([{ calls: pay }, { text: 'lost' }, { text: 'I looked.' }, { text: 'I see.' }]);
    const store = failingStore((write) => broken && (write === 'result' || write === 'end'));
    const runtime = await start(server, 'openai', { store });
    const turn = runtime.run({ text: 'pay', session: 's' });
    await expect(turn.result).rejects.toMatchObject({ code: 'STORE_UNUSABLE' });
    broken = false;
    expect((await runtime.run({ text: 'did you?', session: 's' }).result).text).toBe('I see.');
    expect(await runtime.ended(turn.id)).toMatchObject({ status: 'done', text: 'I looked.' });
    const results = server.requests[2]?.messages.find((message) => message.role === 'tool')?.results;
    expect(JSON.parse(results?.[0]?.text ?? '')).toMatchObject({ error_type: 'OUTCOME_UNKNOWN', effect: 'unknown' });
    expect(results?.[1]?.text).toBe('noted');
  });

  it('keeps a result that is known, and starts nothing that it could not note', async () => {
    const server = await scripted([{ calls: pay }, { text: 'I see.' }]);
    const runtime = await start(server, 'openai', { store: failingStore((write) => write === 'result') });
    const turn = runtime.run({ text: 'pay', session: 's' });
    expect(await turn.result).toMatchObject({ status: 'done', text: 'I see.' });
    const results = server.requests[1]?.messages.find((message) => message.role === 'tool')?.results;
    expect(results?.[0]?.text).toBe('noted');
    expect(JSON.parse(results?.[1]?.text ?? '')).toMatchObject({ error_type: 'INTERNAL', effect: 'none' });
    expect((await runtime.messages(turn.id)).filter(({ role }) => role === 'tool')).toHaveLength(2);
  });

  it('is not taken for a cancellation', async () => {
    let broken = false;
    const stop = new AbortController();
    const server = await scripted([{ calls: pay }]);
    const runtime = await start(server, 'openai', { store: failingStore((write) => broken && write === 'end') });
    const turn = runtime.run({ text: 'pay', signal: stop.signal });
    for await (const event of turn) {
      if (event.type !== 'tool-start') continue;
      broken = true;
      stop.abort();
    }
    await expect(turn.result).rejects.toMatchObject({ code: 'STORE_UNUSABLE' });
  });

  it('leaves no timer behind when a turn cannot begin', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const runtime = await start(undefined, 'openai', {
      model: 'offline',
      store: failingStore((write) => write === 'takeIn'),
    });
    const before = timers();
    await expect(runtime.run({ text: 'hi' }).result).rejects.toMatchObject({ code: 'STORE_UNUSABLE' });
    expect(timers()).toBeLessThanOrEqual(before);
  });

  it('leaves a direct call that was cut off out of the conversation', async () => {
    let broken = true;
    const server = await scripted([{ text: 'hello' }]);
    const runtime = await start(server, 'openai', { store: failingStore((write) => broken && write === 'end') });
    expect(await runtime.call('note', { text: 'direct' }, { session: 's' })).toMatchObject({ status: 'success' });
    broken = false;
    await runtime.run({ text: 'hi', session: 's' }).result;
    expect(server.requests[0]?.messages).toMatchObject([{ role: 'user', text: 'hi' }]);
    const statuses = async () => (await runtime.turns('s')).map(({ status }) => status).sort();
    await vi.waitFor(async () => expect(await statuses()).toEqual(['done', 'failed']), { timeout: 10_000 });
  });
});

describe('what a model wrote', () => {
  it.each([3_000, 100_000])('does not harm later turns: arguments nested %i levels deep', async (levels) => {
    const rawInput = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    const server = await scripted([{ calls: [{ name: 'echo', rawInput }] }, { text: 'refused' }, { text: 'next' }]);
    const runtime = await start(server, 'openai');
    expect(await runtime.run({ text: 'go', session: 's' }).result).toMatchObject({ status: 'done', text: 'refused' });
    expect(await runtime.run({ text: 'on', session: 's' }).result).toMatchObject({ status: 'done', text: 'next' });
    expect(JSON.parse(server.requests[1]?.messages.at(-1)?.results[0]?.text ?? '').error_type).toBe(
      'INVALID_ARGUMENTS',
    );
  });

  it('is not run when it was cut off before its arguments began', async () => {
    const server = await scripted([
      { calls: [{ name: 'counter', rawInput: '' }], finishReason: 'length' },
      { text: 'ok' },
    ]);
    const runtime = await start(server, 'openai');
    await runtime.run({ text: 'go' }).result;
    expect(JSON.parse(server.requests[1]?.messages.at(-1)?.results[0]?.text ?? '')).toMatchObject({
      error_type: 'INVALID_ARGUMENTS',
      effect: 'none',
    });
  });

  it('is passed over in the history when it is too long, and hides nothing else', async () => {
    const server = await scripted([{ text: 'one' }, { text: 'two' }, { text: 'three' }]);
    const runtime = await start(server, 'openai', { limits: { historyChars: 10_000 } });
    await runtime.run({ text: 'first', session: 's' }).result;
    await runtime.run({ text: 'x'.repeat(20_000), session: 's' }).result;
    await runtime.run({ text: 'third', session: 's' }).result;
    expect(server.requests[2]?.messages.map((message) => message.text)).toEqual(['first', 'one', 'third']);
  });

  it('cannot send a key elsewhere by a redirect', async () => {
    const elsewhere = await scripted([{ text: 'stolen' }]);
    const server = await scripted([
      { error: { status: 307, headers: { location: `${elsewhere.baseUrl}/messages` }, body: '' } },
    ]);
    const runtime = await start(server, 'anthropic');
    expect(await runtime.run({ text: 'hi' }).result).toMatchObject({ status: 'failed' });
    expect(elsewhere.requests).toEqual([]);
  });

  it.each(['\\/', '\\u002f'])('cannot show a key that a service spells with %s', async (slash) => {
    const key = 'sk-live/AbC+123456';
    const body = `{"error":{"message":"bad key ${key.replace('/', slash)}"}}`;
    const server = await scripted([{ error: { status: 400, body } }]);
    const environment = { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: key };
    const runtime = await start(server, 'openai', { environment });
    const turn = runtime.run({ text: 'hi' });
    const all = JSON.stringify([await turn.result, await runtime.messages(turn.id), await runtime.record(turn.id)]);
    expect(all).not.toMatch(/AbC/);
  });

  it('keeps nobody busy: a /tool line with the same key many thousand times', async () => {
    const runtime = await start(undefined, 'openai', { model: 'offline' });
    const result = await runtime.run({ text: `/tool echo ${'group=1 '.repeat(100_000)}` }).result;
    expect(result.status).toBe('done');
  });
});

describe('createRuntime', () => {
  it('reports a broken file, a missing description and a duplicate name together, with file and field', async () => {
    await using faulty = await createProject({
      'tools/broken/index.ts': 'export default {{{',
      'tools/mute/index.ts':
        "import { defineAgentTool } from 'baigong'; export default defineAgentTool({ execute: () => 1 } as never);",
      'tools/twice/index.ts': toolFiles['tools/constructor/index.ts'],
    });
    const twice = (await import('./authoring/index.ts')).defineAgentTool({ description: 'x', execute: () => 1 });
    const error: unknown = await createRuntime({ project: faulty.root, tools: { twice } }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ code: 'PROJECT_FAULTY' });
    const { problems } = error as {
      problems: readonly { code: string; file?: string; field?: string; fatal: boolean }[];
    };
    expect(problems.filter((problem) => problem.fatal)).toHaveLength(3);
    expect(problems).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ code: 'SYNTAX_ERROR', file: expect.stringMatching(/^tools\/broken\/index\.ts:1:/) }),
        expect.objectContaining({ code: 'MISSING_FIELD', file: 'tools/mute/index.ts', field: 'description' }),
        expect.objectContaining({ code: 'DUPLICATE_NAME' }),
      ]),
    );
  });

  it.each([
    ['an empty message', { text: '' }],
    ['blanks only', { text: ' \n\t' }],
    ['a message that is too long', { text: 'x'.repeat(1_048_577) }],
    ['a session name with a control character', { text: 'hi', session: 'a\u0000b' }],
    ['an empty session name', { text: 'hi', session: '' }],
  ])('refuses %s', async (_what, request) => {
    const runtime = await start(undefined, 'openai', { model: 'offline' });
    expect(() => runtime.run(request)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
    expect(await runtime.turns()).toEqual([]);
  });

  it.each([
    ['1 MB', 'x'.repeat(1_048_576)],
    ['control characters', `${String.fromCharCode(...Array.from({ length: 32 }, (_, code) => code), 0x7f, 0x9b)}a`],
    ['a lone surrogate', 'a\ud800b'],
    ['right-to-left overrides', 'abc\u202edef'],
  ])('takes a message of %s unharmed', async (_what, text) => {
    const server = await scripted([{ text: 'read' }]);
    const runtime = await start(server, 'openai');
    const turn = runtime.run({ text });
    expect((await turn.result).status).toBe('done');
    const [stored] = await runtime.messages(turn.id);
    expect(stored).toMatchObject({ role: 'user', text });
    expect(server.requests[0]?.messages[0]?.text).toBe(text.toWellFormed());
  });

  it.each([
    ['limits.maxSteps 0', { limits: { maxSteps: 0 } }],
    ['limits.timeoutMs beyond a timer', { limits: { timeoutMs: 2 ** 31 } }],
    ['callLimits.timeoutMs Infinity', { callLimits: { timeoutMs: Number.POSITIVE_INFINITY } }],
    ['callLimits.maxOutputChars NaN', { callLimits: { maxOutputChars: Number.NaN } }],
  ])('refuses the option %s', async (_what, options) => {
    await expect(createRuntime({ store: 'memory', environment: {}, ...options })).rejects.toMatchObject({
      code: 'INVALID_OPTION',
    });
  });

  it('does not take a missing principal for its master', async () => {
    const runtime = await start(undefined, 'openai', { model: 'offline' });
    for (const principal of [undefined, null]) {
      expect(() => runtime.run({ text: 'hi', principal } as never)).toThrow(
        expect.objectContaining({ code: 'INVALID_INPUT' }),
      );
    }
    const own = { kind: 'cli' } as const;
    await runtime.run({ text: 'hi', origin: own }).result;
    expect(Object.isFrozen(own)).toBe(false);
  });

  it('refuses a role that is none', async () => {
    const runtime = await start(undefined, 'openai', { model: 'offline' });
    const principal = { ...user, role: 'king' } as never;
    expect(() => runtime.run({ text: 'hi', principal })).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
  });

  it('hands over what a call came to although its record cannot be written', async () => {
    await using folder = await createProject();
    const file = join(folder.root, 'state.db');
    const { DatabaseSync } = await import('node:sqlite');
    const { defineAgentTool } = await import('./authoring/index.ts');
    const other = new DatabaseSync(file);
    const runtime = await createRuntime({
      store: { file },
      environment: {},
      tools: {
        lock: defineAgentTool({
          description: 'Drops the table of turns while it runs.',
          requiresApproval: 'never',
          execute: () => {
            other.exec('DROP TABLE record_entry');
            return 'done';
          },
        }),
      },
    });
    open.push(runtime);
    const outcome = await runtime.call('lock', {});
    other.close();
    expect(outcome).toMatchObject({
      status: 'success',
      result: { value: 'done' },
      warnings: [{ key: 'agent.record-lost' }],
    });
  });

  it('says that an answer was cut', async () => {
    const server = await scripted([{ text: 'Once upon', finishReason: 'length' }]);
    const runtime = await start(server, 'openai');
    expect(await runtime.run({ text: 'tell' }).result).toMatchObject({
      status: 'limit',
      text: 'Once upon',
      error: { code: 'ANSWER_CUT' },
    });
  });

  it('lets what is under way end before it closes', async () => {
    const server = await scripted([{ calls: [{ name: 'counter' }] }, { text: 'ended' }]);
    const runtime = await start(server, 'openai');
    const turn = runtime.run({ text: 'go' });
    const call = runtime.call('counter', {});
    await runtime.close();
    expect(await turn.result).toMatchObject({ status: 'done', text: 'ended' });
    expect(await call).toMatchObject({ status: 'success' });
  });

  it('refuses work after it was closed', async () => {
    const runtime = await createRuntime({ store: 'memory', environment: {} });
    await runtime.close();
    expect(() => runtime.run({ text: 'hi' })).toThrow(expect.objectContaining({ code: 'CLOSED' }));
    await expect(runtime.call('x', {})).rejects.toMatchObject({ code: 'CLOSED' });
  });
});
