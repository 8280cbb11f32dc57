import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { CodeHost } from '../contracts/code-host.ts';
import type { ContextHost, Executor, ExecutorEnd } from '../contracts/executor.ts';
import type { Json, JsonObject } from '../contracts/json.ts';
import type { ModuleGraph } from '../contracts/module-graph.ts';
import { failureOf, moduleTool, requestFor } from './fixtures/call-fixtures.ts';
import { compileGraph } from './fixtures/compile-graph.ts';
import { resultOf } from './fixtures/process-harness.ts';
import { createInlineExecutor } from './inline-executor.ts';
import { createProcessExecutor } from './process-executor.ts';

const toolFile = (body: string) => `
import { defineAgentTool, QuestionError } from 'baigong';
import { setTimeout } from 'node:timers/promises';
export default defineAgentTool({ description: 'x', async execute(input, context) { ${body} } });`;

const files = {
  'asks.ts': toolFile("return context.question({ text: 'Go on?' });"),
  'works-on.ts': toolFile(`
    await setTimeout(input.before);
    await context.question({ text: 'Go on?' });
    await setTimeout(input.after);
    return 'done';`),
  'asks-twice.ts': toolFile("return Promise.all(['first', 'second'].map((text) => context.question({ text })));"),
  'in-turn.ts': toolFile("return [await context.question({ text: 'a' }), await context.question({ text: 'b' })];"),
  'invokes.ts': toolFile("return context.invoke('other', {});"),
  'tells.ts': toolFile(`
    return context.question({ text: 'x' }).catch((error) => ({
      isOurs: QuestionError.isInstance(error), isError: error instanceof Error,
      name: error.name, reason: error.reason, message: error.message,
    }));`),
  'aborted.ts': toolFile(`
    await context.question({ text: 'x' }).catch(() => {});
    return new Promise(() => {});`),
  'dies.ts': toolFile("globalThis.setTimeout(() => process.exit(3), 50); return context.question({ text: 'x' });"),
};

interface CallOptions {
  readonly timeoutMs?: number;
  readonly input?: JsonObject;
  readonly signal?: AbortSignal;
}

const never = new AbortController().signal;
let root = '';
let graph: ModuleGraph | undefined;
const open: Executor[] = [];
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'baigong-')));
  graph = await compileGraph(root, files);
});
afterEach(async () => {
  for (const executor of open.splice(0)) await executor.close();
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** A host on which a person is waited for: each answer is what `answer` resolves with. */
function hostThat(answer: (args: readonly Json[], count: number) => Json | Promise<Json>) {
  const asked = Promise.withResolvers<void>();
  let count = 0;
  const host: ContextHost = {
    async ask(_operation, args, signal, hold) {
      count += 1;
      hold?.(true);
      asked.resolve();
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      });
      try {
        return await Promise.race([answer(args, count), aborted]);
      } finally {
        hold?.(false);
      }
    },
    progress() {},
    log() {},
  };
  return { host, asked: asked.promise };
}

const answered = (value: Json): Json => ({ status: 'answered', value });
const unanswered = () => new Promise<Json>(() => {});

describe.each(['inline', 'process'] as const)('a call (%s) that waits for a person', (isolation) => {
  function start() {
    const executor: Executor & CodeHost = isolation === 'inline' ? createInlineExecutor() : createProcessExecutor();
    open.push(executor);
    if (graph === undefined) throw new Error('not compiled yet');
    executor.retain(graph);
    const compiled = graph;
    return {
      executor,
      call(
        entry: keyof typeof files,
        host: ContextHost,
        { timeoutMs = 20_000, input = {}, signal = never }: CallOptions = {},
      ): Promise<ExecutorEnd> {
        const tool = moduleTool(compiled, entry, { timeoutMs });
        return executor.run(tool, requestFor(tool, input), host, signal);
      },
    };
  }

  it.each<[string, keyof typeof files, (args: readonly Json[], count: number) => Promise<Json>, Json]>([
    ['for an answer', 'asks.ts', () => setTimeout(1_500, answered('yes')), 'yes'],
    [
      'for two answers at once, also after the first one',
      'asks-twice.ts',
      ([, text]) => setTimeout(text === 'first' ? 100 : 1_500, answered(text ?? null)),
      ['first', 'second'],
    ],
    ['for one answer after another', 'in-turn.ts', ([ordinal]) => setTimeout(900, answered(ordinal ?? null)), [1, 2]],
    [
      'in a call that its code makes',
      'invokes.ts',
      () => setTimeout(1_500, { status: 'success', value: 'from the other' }),
      'from the other',
    ],
  ])('may wait longer than it may work: %s', async (_what, entry, answer, value) => {
    expect(resultOf(await start().call(entry, hostThat(answer).host, { timeoutMs: 800 }))).toEqual(value);
  });

  it('may still work as long as it may after that', async () => {
    const { host } = hostThat(() => setTimeout(1_500, answered('yes')));
    const input = { before: 0, after: 100 };
    expect(resultOf(await start().call('works-on.ts', host, { timeoutMs: 1_000, input }))).toBe('done');
  });

  it.each([
    ['after', { before: 0, after: 30_000 }],
    ['before and after it together', { before: 1_200, after: 1_200 }],
  ])('may work no longer than it may: %s', async (_when, input) => {
    const { host, asked } = hostThat(() => setTimeout(50, answered('yes')));
    const running = start().call('works-on.ts', host, { timeoutMs: 2_000, input });
    await asked;
    expect(failureOf(await running)).toMatchObject({
      code: 'TIMEOUT',
      message: 'It did not end within its time limit of 2000 ms.',
    });
  });

  it.each<keyof typeof files>(['asks.ts', 'aborted.ts'])('is ended at once by a cancel (%s)', async (entry) => {
    const { host, asked } = hostThat(unanswered);
    const controller = new AbortController();
    const running = start().call(entry, host, { signal: controller.signal });
    await asked;
    controller.abort();
    expect(failureOf(await running).code).toBe('CANCELLED');
  });

  it.each([
    ['en', 'expired', 'Nobody answered the question in time.'],
    ['zh', 'refused', '对方拒绝回答该提问。'],
  ] as const)('is told why it gets none (%s, %s)', async (locale, reason, message) => {
    const { executor } = start();
    if (graph === undefined) throw new Error('not compiled yet');
    const run = (entry: keyof typeof files) => {
      const tool = moduleTool(graph as ModuleGraph, entry);
      return executor.run(tool, { ...requestFor(tool), locale }, hostThat(() => ({ status: reason })).host, never);
    };
    const told = { isOurs: true, isError: true, name: 'QuestionError', reason, message };
    expect(resultOf(await run('tells.ts'))).toEqual(told);
    expect(failureOf(await run('asks.ts'))).toMatchObject({ code: 'EXECUTION_ERROR', message });
  });
});

describe('a process that waits for a person', () => {
  it.each<[string, keyof typeof files, (executor: Executor) => Promise<void> | undefined, string]>([
    ['its code ends it', 'dies.ts', () => undefined, 'EXECUTION_ERROR'],
    ['the executor closes', 'asks.ts', (executor) => executor.close(), 'CANCELLED'],
  ])('is not waited for when %s', async (_why, entry, end, code) => {
    const executor = createProcessExecutor();
    open.push(executor);
    if (graph === undefined) throw new Error('not compiled yet');
    executor.retain(graph);
    const { host, asked } = hostThat(unanswered);
    const tool = moduleTool(graph, entry);
    const running = executor.run(tool, requestFor(tool), host, never);
    await asked;
    await end(executor);
    expect(failureOf(await running).code).toBe(code);
  });
});
