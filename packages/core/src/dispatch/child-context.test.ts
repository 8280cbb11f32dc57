import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defineAgentTool } from '../authoring/index.ts';
import type { ProvidedService } from '../contracts/code-host.ts';
import type { Json, JsonObject } from '../contracts/json.ts';
import type { Message } from '../contracts/message.ts';
import type { ModuleGraph } from '../contracts/module-graph.ts';
import type { Outcome } from '../contracts/outcome.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { compileGraph } from '../execution/fixtures/compile-graph.ts';
import { createInlineExecutor, createProcessExecutor } from '../execution/index.ts';
import { createCallHost } from './context-host.ts';
import { createWorld, type ToolSpec, type WorldOptions } from './fixtures/call-world.ts';

const files: Readonly<Record<string, string>> = {
  looks: `const { policy, call, config, $client, question } = context;
    return { policy, attempt: call.attempt, key: call.idempotencyKey.length, config, client: $client === undefined, question: question === undefined };`,
  usesService: `const db = context.use(defineToken('lottery.db'));
    const seen = { keys: Object.keys(db), sum: await db.add(input.a, { b: 2 }), none: await db.nothing() === undefined };
    return { ...seen, said: await db.fails().catch((error) => [error instanceof Error, error.message]), odd: await db.odd().catch((error) => error.message),
      map: await db.add(new Map()).catch((error) => error.message) };`,
  usesLocal: `return context.use(defineToken('local'));`,
  usesNone: `return context.use(defineToken('none'));`,
  history: `return context.history({ limit: 1 });`,
  session: `await context.session.set('a', { n: 1 }); return [await context.session.get('a'), await context.session.get('b', 0)];`,
  fetches: `return (await context.fetch('https://api.example/')).text();`,
  parent: `return { got: await context.invoke(input.name, { n: 1 }) };`,
  echo: `return { ...input, by: context.call.callId };`,
  throws: `throw new InputError('no such city');`,
  shows: `return contentParts([{ type: 'image', mediaType: 'image/png', data: new Uint8Array([0]) }]);`,
  passes: `return context.invoke('shows');`,
  hurries: `context.invoke('sleeps').catch(() => {}); return 'early';`,
  sleeps: `await new Promise((resolve) => context.signal.addEventListener('abort', resolve)); return 1;`,
};

const inline = createInlineExecutor();
/** One process only: calls inside calls must not wait for one another. */
const children = createProcessExecutor({ maxChildren: 1 });
const executors = { inline, process: children };
let root = '';
let graph: ModuleGraph;
let release = () => {};

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'baigong-')));
  const sources = Object.entries(files).map(([name, body]) => [
    `${name}.ts`,
    `import { contentParts, defineAgentTool, defineToken, InputError } from 'baigong';
void [contentParts, defineToken, InputError];
export default defineAgentTool({ description: 'x', async execute(input, context) { ${body} } });`,
  ]);
  graph = await compileGraph(root, Object.fromEntries(sources));
  release = children.retain(graph);
});
afterAll(async () => {
  release();
  await Promise.all([inline.close(), children.close()]);
  await rm(root, { recursive: true, force: true });
});

function world(options: Partial<WorldOptions> = {}) {
  const tools = Object.keys(files).map((name): readonly [string, ToolSpec] => [
    name,
    { isolation: 'process', code: { kind: 'module', reference: { graph: graph.digest, entry: `${name}.ts` } } },
  ]);
  return createWorld({ executors, tools: Object.fromEntries(tools), ...options });
}

function resultOf(outcome: Outcome): unknown {
  if (outcome.status === 'error') throw new Error(`${outcome.code}: ${renderText(outcome.message, 'en')}`);
  return outcome.result.value;
}

class Database {
  readonly #factor = 10;
  async add(a: number, { b }: { b: number }): Promise<number> {
    return (a + b) * this.#factor;
  }
  nothing(): void {}
  fails(): never {
    throw new Error('the table is locked');
  }
  odd(): unknown {
    return { at: [new Map()] };
  }
  secret(): string {
    return 'never';
  }
}

const remote = ['add', 'nothing', 'fails', 'odd'];
const database: ProvidedService = { token: 'lottery.db', value: new Database(), remote };
const local: ProvidedService = { token: 'local', value: { rows: 3 }, remote: [] };

describe('the context of a tool in a child process', () => {
  it('is the one of this process, as far as it can be plain data', async () => {
    const config = { plain: { unit: 'celsius' }, live: { unit: () => 'celsius' } };
    const outcome = await world({ config, client: { kick() {} }, allowHosts: ['[::1]'] }).call('looks');
    expect(resultOf(outcome)).toEqual({
      policy: { role: 'trusted', attended: false, allowHosts: ['[::1]'], network: [] },
      attempt: 1,
      key: 64,
      config: { unit: 'celsius' },
      client: true,
      question: true,
    });
  });

  it('calls the remote methods of a service of the host', async () => {
    const outcome = await world({ services: [database] }).call('usesService', { a: 1 });
    expect(resultOf(outcome)).toEqual({
      keys: remote,
      sum: 30,
      none: true,
      said: [true, 'the table is locked'],
      odd: 'lottery.db.odd returned Map at /at/0, which is not JSON and cannot be passed to another process.',
      map: 'The arguments of lottery.db.add hold Map at /0, which is not JSON.',
    });
  });

  it.each([
    ['usesLocal', /"local" lives in the process of the host.*remote: \['method'\].*isolation: 'inline'/],
    ['usesNone', /No plugin provides the service "none"/],
  ])('%s: says why there is no service', async (name, said) => {
    const outcome = await world({ services: [local] }).call(name);
    expect(outcome).toMatchObject({ code: 'EXECUTION_ERROR' });
    expect(() => resultOf(outcome)).toThrow(said);
  });

  it('has history, session and fetch', async () => {
    const history: Message[] = ['old', 'new'].map((text, at) => ({
      role: 'user',
      turnId: 't',
      at,
      speakerId: 'u',
      text,
    }));
    const body = Buffer.from('百工').toString('base64');
    const { call } = world({
      history,
      fetch: () => async () => ({
        status: 200,
        statusText: 'OK',
        headers: [],
        body,
        url: 'https://api.example/',
        redirected: false,
      }),
    });
    expect(resultOf(await call('history'))).toEqual([{ role: 'user', turnId: 't', at: 1, text: 'new' }]);
    expect(resultOf(await call('session'))).toEqual([{ n: 1 }, 0]);
    expect(resultOf(await call('fetches'))).toBe('百工');
  });

  it('invokes tools that need a process too, although there is only one', async () => {
    const { call } = world();
    expect(resultOf(await call('parent', { name: 'echo' }))).toEqual({ got: { n: 1, by: 'turn.1.0.1' } });
    expect(resultOf(await call('passes'))).toEqual([{ type: 'image', mediaType: 'image/png', data: 'AA==' }]);
    const failed = await call('parent', { name: 'throws' });
    expect(failed).toMatchObject({ code: 'EXECUTION_ERROR' });
    expect(() => resultOf(failed)).toThrow(/"throws".*INVALID_ARGUMENTS: no such city/);
  });

  it('ends a call that it left running', async () => {
    const { call, records } = world();
    expect(resultOf(await call('hurries'))).toBe('early');
    expect(records.at(-1)).toMatchObject({
      kind: 'call-end',
      body: { callId: 'turn.1.0.1', outcome: { code: 'CANCELLED' } },
    });
  });
});

describe('what a child may ask', () => {
  const asking = (services: readonly ProvidedService[] = [database, local]) => {
    const definition = defineAgentTool({ description: 'x', execute: () => 'ran' });
    const made = createWorld({ executors, tools: { one: { definition } }, services });
    const tool = made.table.get('one');
    if (tool === undefined) throw new Error('the table has no tool');
    const call = {
      id: 'turn.1.0',
      turnId: 'turn',
      step: 1,
      index: 0,
      providerCallId: 'p',
      toolName: 'two',
      rawInput: '',
    } as const;
    const fetch = () => async () => ({ refused: { key: 'plain', values: { text: 'no' } } }) as const;
    return createCallHost({ call, scope: made.scope, tool, fetch, run: made.run }).host;
  };
  const never = new AbortController().signal;

  it.each<[string, readonly Json[], RegExp]>([
    ['session-get', [], /key: string/],
    ['session-set', [{ toString: 'x' }, 1], /key: string/],
    ['session-delete', ['k'.repeat(1_025)], /<= 1024/],
    ['history', [], /limit/],
    ['history', [1e9], /limit/],
    ['service', ['lottery.db', 'add'], /args: array/],
    ['service', ['lottery.db', 'secret', []], /not "secret"/],
    ['service', ['lottery.db', 'constructor', []], /not "constructor"/],
    ['service', ['local', 'rows', []], /not declared|lives in the process/],
    ['service', ['__proto__', 'toString', []], /No plugin provides/],
    ['constructor', [], /not understood/],
  ])('%s with %j is refused in words', async (operation, args, said) => {
    await expect(asking().ask(operation as never, args, never)).rejects.toThrow(said);
  });

  it.each<[readonly Json[], string, RegExp]>([
    [['one'], 'one', /input: object/],
    [['one', [1]], 'one', /input: object/],
    [[null, {}], 'object', /name: string/],
    [['n'.repeat(201), {}], `${'n'.repeat(200)}…`, /name: string, <= 200/],
  ])('refuses to invoke %j as a call that failed', async (args, toolName, said) => {
    const answer = await asking().ask('invoke', args, never);
    expect(answer).toMatchObject({ status: 'error', toolName, code: 'INVALID_ARGUMENTS', effect: 'none' });
    expect(answer).toMatchObject({ reason: expect.stringMatching(said) });
  });

  it('says that a declared method is missing', async () => {
    const broken = { token: 'b', value: { rows: 3 }, remote: ['rows'] };
    await expect(asking([broken]).ask('service', ['b', 'rows', []], never)).rejects.toThrow(/has no method "rows"/);
  });

  it('answers anything with plain data or an Error that has a message', async () => {
    const operations = ['session-get', 'session-set', 'session-delete', 'history', 'invoke', 'fetch', 'service', 'x'];
    const host = asking();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...operations),
        fc.array(fc.oneof(fc.jsonValue(), fc.constantFrom('lottery.db', 'add', 'nothing', 'one')), { maxLength: 4 }),
        async (operation, args) => {
          const answer = await host.ask(operation as never, args as Json[], never).catch((error: unknown) => error);
          if (answer instanceof Error) expect(answer.message).not.toBe('');
          else if (answer !== undefined) expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('hands the arguments of an invoked tool over as they are', async () => {
    const host = asking();
    const input: JsonObject = JSON.parse('{"__proto__":1,"n":[null]}');
    await expect(host.ask('invoke', ['one', input], never)).resolves.toEqual({ status: 'success', value: 'ran' });
  });
});
