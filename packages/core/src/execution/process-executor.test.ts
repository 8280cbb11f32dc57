import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ToolCapability } from '../contracts/capability.ts';
import type { ExecutorEnd } from '../contracts/executor.ts';
import type { Json, JsonObject } from '../contracts/json.ts';
import type { ModuleGraph } from '../contracts/module-graph.ts';
import { executionLimits } from './execution-limits.ts';
import { failureOf, liveTool, moduleTool, RecordingHost, requestFor } from './fixtures/call-fixtures.ts';
import { compileGraph } from './fixtures/compile-graph.ts';
import { untilGone } from './fixtures/process-state.ts';
import { createProcessExecutor, type ProcessExecutor, type ProcessExecutorOptions } from './process-executor.ts';
import { ValidatorFailure } from './validator-failure.ts';

const never = new AbortController().signal;

/** A tool file; `body` is the body of `execute`. */
function toolFile(body: string, fields = ''): string {
  return `import { defineAgentTool } from 'baigong';
import { spawn } from 'node:child_process';
import { z } from 'zod';
void spawn; void z;
export default defineAgentTool({ description: 'x', ${fields} async execute(input, context) { ${body} } });`;
}

const files = {
  'echo.ts': toolFile('return input;'),
  'pid.ts': toolFile('return process.pid;'),
  'tools/constructor/index.ts': toolFile('return { name: context.call.toolName, keys: Object.keys(input) };'),
  'surroundings.ts': toolFile(`
    console.log('printed'); console.error('warned');
    context.log.info('noted');
    context.progress({ half: true });
    const before = await context.session.get('__proto__', 'none');
    await context.session.set('__proto__', { n: 1 });
    const after = await context.session.get('__proto__');
    await context.session.delete('__proto__');
    return { before, after, end: await context.session.get('__proto__', 'gone'), config: context.config, cwd: process.cwd() };`),
  'session-failure.ts': toolFile(`return context.session.get('x').catch((error) => error.message);`),
  'chatty.ts': toolFile(
    `for (let n = 0; n < 5_000; n += 1) { context.progress(n); context.log.info('n' + n); } return 1;`,
  ),
  'prints.ts': toolFile(`process.stdout.write('x'.repeat(200_000)); return 1;`),
  'environment.ts': toolFile('return process.env;'),
  'huge.ts': toolFile('return "百".repeat(input.count);'),
  'loop.ts': toolFile('context.progress(process.pid); while (true);'),
  'deaf.ts': toolFile('context.progress(process.pid); return new Promise(() => setInterval(() => {}, 1_000));'),
  'polite.ts': toolFile(`
    context.progress(process.pid);
    await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
    return context.signal.reason.name;`),
  'exits.ts': toolFile('process.exit(3);'),
  'aborts.ts': toolFile('process.abort();'),
  'kills.ts': toolFile('process.kill(process.pid, "SIGTERM"); await new Promise(() => setInterval(() => {}, 1_000));'),
  'throws-later.ts': toolFile(
    'setTimeout(() => { throw new Error("from a timer in " + import.meta.filename); }); return new Promise(() => {});',
  ),
  'rejects-aside.ts': toolFile('Promise.reject(new Error("nobody listens")); return "fine";'),
  'rejects-afterwards.ts': toolFile(`
    globalThis.explode = () => Promise.reject(new Error('from an earlier call'));
    return 'fine';`),
  'sets-off.ts': toolFile(
    'setTimeout(() => globalThis.explode(), 0); await new Promise((resolve) => setTimeout(resolve, 5_000)); return "must not be";',
  ),
  'hog.ts': toolFile('const all = []; while (true) all.push(Array.from({ length: 100_000 }, (_, n) => ({ n })));'),
  'family.ts': toolFile(`
    const child = spawn('sleep', ['60'], { stdio: 'ignore' });
    context.progress(child.pid);
    return new Promise(() => setInterval(() => {}, 1_000));`),
  'validated.ts': toolFile(
    'return input;',
    'inputSchema: z.object({ city: z.string().min(2), days: z.number().default(1) }),',
  ),
  'bad-validator.ts': toolFile(
    'return 1;',
    'inputSchema: z.object({}).refine(() => { throw new Error("broke in " + import.meta.filename); }),',
  ),
  'slow-validator.ts': toolFile('return 1;', 'inputSchema: z.object({}).refine(() => { while (true); }),'),
  'broken.ts': 'throw new Error("at the top of " + import.meta.filename);',
  'not-a-tool.ts': 'export default 1;',
};

let root: string;
let graph: ModuleGraph;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'baigong-')));
  graph = await compileGraph(root, files);
});
afterAll(() => rm(root, { recursive: true, force: true }));

const open: ProcessExecutor[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((executor) => executor.close()));
});

function start(options: ProcessExecutorOptions = {}): ProcessExecutor {
  const executor = createProcessExecutor(options);
  executor.retain(graph);
  open.push(executor);
  return executor;
}

interface CallOptions {
  readonly input?: JsonObject;
  readonly host?: RecordingHost;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

function call(executor: ProcessExecutor, entry: keyof typeof files, options: CallOptions = {}): Promise<ExecutorEnd> {
  const { input = {}, host = new RecordingHost(), signal = never, timeoutMs = 20_000 } = options;
  const tool = moduleTool(graph, entry, { timeoutMs });
  return executor.run(tool, requestFor(tool, input), host, signal);
}

function resultOf(end: ExecutorEnd): Json | undefined {
  if (!end.ok) throw new Error(`the call failed: ${JSON.stringify(end)}`);
  return end.value;
}

describe('createProcessExecutor', () => {
  it('runs a tool in a process of its own, which stays warm', async () => {
    const executor = start();
    const pid = resultOf(await call(executor, 'pid.ts'));
    expect(pid).not.toBe(process.pid);
    expect(resultOf(await call(executor, 'pid.ts'))).toBe(pid);
  });

  it('brings what the context offers, and what the code prints, to the host', async () => {
    const executor = start();
    const host = new RecordingHost();
    expect(resultOf(await call(executor, 'surroundings.ts', { host }))).toEqual({
      before: 'none',
      after: { n: 1 },
      end: 'gone',
      config: { greeting: 'hello' },
      cwd: root,
    });
    expect(host.progressed).toEqual([{ half: true }]);
    expect(host.logged).toEqual([
      { level: 'info', message: 'noted' },
      { level: 'info', message: 'printed\n' },
      { level: 'warn', message: 'warned\n' },
    ]);
    // The next call's host hears nothing of it.
    const next = new RecordingHost();
    await call(executor, 'pid.ts', { host: next });
    expect(next.logged).toEqual([]);
  });

  it('tells the code why the host refuses what it asks for', async () => {
    const host = new RecordingHost();
    host.ask = () => Promise.reject(new Error('the session is full'));
    expect(resultOf(await call(start(), 'session-failure.ts', { host }))).toBe('the session is full');
  });

  it.each<[string, () => void]>([
    [
      'throws',
      () => {
        throw new Error('a bug of the embedder');
      },
    ],
    [
      'rejects',
      async () => {
        throw new Error('a bug of the embedder');
      },
    ],
  ])('blames no tool for a host that %s', async (_name, fail) => {
    const host = new RecordingHost();
    host.progress = fail;
    host.log = fail;
    const executor = start();
    expect(resultOf(await call(executor, 'surroundings.ts', { host }))).toMatchObject({ before: 'none' });
  });

  it('says that a request is not JSON, and its process goes on', async () => {
    const executor = start();
    const pid = resultOf(await call(executor, 'pid.ts'));
    const tool = moduleTool(graph, 'echo.ts');
    const request = { ...requestFor(tool), config: { count: 1n } as unknown as Json };
    const end = await executor.run(tool, request, new RecordingHost(), never);
    expect(failureOf(end)).toMatchObject({
      code: 'EXECUTION_ERROR',
      message: expect.stringContaining('not JSON'),
      effect: 'none',
    });
    expect(resultOf(await call(executor, 'pid.ts'))).toBe(pid);
  });

  it('keeps a chatty tool within its bounds and lets it finish', async () => {
    const executor = start();
    const host = new RecordingHost();
    expect(resultOf(await call(executor, 'chatty.ts', { host }))).toBe(1);
    expect(host.progressed).toHaveLength(executionLimits.progressPerCall);
    expect(host.logged).toHaveLength(executionLimits.logsPerCall);
    const printing = new RecordingHost();
    expect(resultOf(await call(executor, 'prints.ts', { host: printing }))).toBe(1);
    expect(printing.logged.map(({ message }) => message.length)).toEqual([
      executionLimits.outputBytes,
      expect.any(Number),
    ]);
  });

  it('hands on the environment that it is told to, and none of ours', async () => {
    process.env.BAIGONG_TEST_SECRET = 'do not tell';
    const executor = start({ environment: { WEATHER_KEY: 'told', TZ: 'Asia/Tokyo' } });
    Reflect.deleteProperty(process.env, 'BAIGONG_TEST_SECRET');
    const environment = resultOf(await call(executor, 'environment.ts')) as JsonObject;
    expect(environment).toMatchObject({ WEATHER_KEY: 'told', TZ: 'Asia/Tokyo', PATH: process.env.PATH });
    expect(JSON.stringify(environment)).not.toContain('do not tell');
    expect(environment).not.toHaveProperty('NODE_OPTIONS');
  });

  it('passes any text and any name unchanged', async () => {
    const executor = start();
    const input = JSON.parse(
      String.raw`{"__proto__":{"x":1},"constructor":"\u0000\ud800\udc00\udfff","百工":"\ud83d\ude00\u202e\ufeff","":[[]]}`,
    ) as JsonObject;
    expect(JSON.stringify(resultOf(await call(executor, 'echo.ts', { input })))).toBe(JSON.stringify(input));
    const tool = moduleTool(graph, 'tools/constructor/index.ts', { name: 'constructor' });
    const end = await executor.run(tool, requestFor(tool, input), new RecordingHost(), never);
    expect(resultOf(end)).toEqual({ name: 'constructor', keys: Object.keys(input) });
  });

  it('passes large values and refuses larger ones, without losing the process', async () => {
    const executor = start();
    const pid = resultOf(await call(executor, 'pid.ts'));
    expect(resultOf(await call(executor, 'huge.ts', { input: { count: 4_000_000 } }))).toHaveLength(4_000_000);
    expect(await call(executor, 'huge.ts', { input: { count: 6_000_000 } })).toEqual({
      ok: false,
      code: 'INVALID_RESULT',
      message: 'it exceeds 16 MiB, the most that a tool can return.',
    });
    expect(await call(executor, 'echo.ts', { input: { text: 'x'.repeat(executionLimits.frameBytes) } })).toEqual({
      ok: false,
      code: 'INVALID_ARGUMENTS',
      message: 'The arguments exceed 16 MiB, the most that can be passed to a tool.',
      effect: 'none',
    });
    expect(resultOf(await call(executor, 'pid.ts'))).toBe(pid);
  });

  describe('ends a call at its time limit:', () => {
    it('an endless loop, which harms no other call', async () => {
      const executor = start();
      const host = new RecordingHost();
      const order: string[] = [];
      const looping = call(executor, 'loop.ts', { host, timeoutMs: 4_000 }).then((end) => {
        order.push('loop');
        return end;
      });
      await host.untilProgress(1);
      const others = await Promise.all([call(executor, 'echo.ts', { input: { n: 1 } }), call(executor, 'pid.ts')]);
      order.push('others');
      expect(others.map((end) => end.ok)).toEqual([true, true]);
      expect(failureOf(await looping)).toEqual({
        ok: false,
        code: 'TIMEOUT',
        message: 'It did not end within its time limit of 4000 ms.',
      });
      expect(order).toEqual(['others', 'loop']);
      await untilGone(host.progressed[0] as number);
    });

    it('one that ignores its signal, with its process', async () => {
      const executor = start();
      const host = new RecordingHost();
      expect(failureOf(await call(executor, 'deaf.ts', { host, timeoutMs: 50 }))).toMatchObject({ code: 'TIMEOUT' });
      await untilGone(host.progressed[0] as number);
      expect((await call(executor, 'echo.ts')).ok).toBe(true);
    });

    it('one that heeds its signal, whose process stays', async () => {
      const executor = start({ killGraceMs: 10_000 });
      const host = new RecordingHost();
      expect(failureOf(await call(executor, 'polite.ts', { host, timeoutMs: 50 }))).toMatchObject({ code: 'TIMEOUT' });
      expect(resultOf(await call(executor, 'pid.ts'))).toBe(host.progressed[0]);
    });

    it('one that started processes, with them', async () => {
      const host = new RecordingHost();
      expect(failureOf(await call(start(), 'family.ts', { host, timeoutMs: 50 }))).toMatchObject({ code: 'TIMEOUT' });
      await untilGone(host.progressed[0] as number);
    });
  });

  describe('cancels a call:', () => {
    it('that runs', async () => {
      const executor = start();
      const controller = new AbortController();
      const host = new RecordingHost();
      const running = call(executor, 'loop.ts', { host, signal: controller.signal });
      await host.untilProgress(1);
      controller.abort();
      expect(failureOf(await running)).toEqual({ ok: false, code: 'CANCELLED', message: 'It was cancelled.' });
      await untilGone(host.progressed[0] as number);
    });

    it('that waits for a process, before anything begins', async () => {
      const executor = start({ maxChildren: 1 });
      const host = new RecordingHost();
      const stop = new AbortController();
      const running = call(executor, 'polite.ts', { host, signal: stop.signal });
      await host.untilProgress(1);
      const controller = new AbortController();
      const waiting = call(executor, 'echo.ts', { signal: controller.signal });
      const later = call(executor, 'echo.ts', { input: { later: true } });
      controller.abort();
      expect(failureOf(await waiting)).toMatchObject({ code: 'CANCELLED', effect: 'none' });
      stop.abort();
      expect(failureOf(await running)).toMatchObject({ code: 'CANCELLED' });
      expect(resultOf(await later)).toEqual({ later: true });
    });

    it('that was cancelled before it came', async () => {
      const end = await call(start(), 'echo.ts', { signal: AbortSignal.abort() });
      expect(failureOf(end)).toMatchObject({ code: 'CANCELLED', effect: 'none' });
    });
  });

  it('lets calls wait in order when all processes are busy, off their time limits', async () => {
    const executor = start({ maxChildren: 1 });
    const order: number[] = [];
    const host = new RecordingHost();
    const looping = call(executor, 'loop.ts', { host, timeoutMs: 1_500 });
    await host.untilProgress(1);
    // Each would be over long before its turn if the waiting counted.
    const waiting = [1, 2, 3].map(async (n) => {
      const end = await call(executor, 'echo.ts', { input: { n }, timeoutMs: 1_000 });
      order.push(n);
      return end.ok;
    });
    expect(await Promise.all(waiting)).toEqual([true, true, true]);
    expect(order).toEqual([1, 2, 3]);
    expect(failureOf(await looping).code).toBe('TIMEOUT');
  });

  describe('survives code that', () => {
    it.each<[string, keyof typeof files, string]>([
      [
        'exits',
        'exits.ts',
        'The process in which it ran ended with exit code 3; its code may have called process.exit.',
      ],
      ['aborts', 'aborts.ts', 'The process in which it ran was ended by the signal SIGABRT.'],
      ['kills itself', 'kills.ts', 'The process in which it ran was ended by the signal SIGTERM.'],
      [
        'throws in a timer',
        'throws-later.ts',
        'An error that no code caught ended the process of the tool; it may stem from an earlier call: from a timer in ./throws-later.ts',
      ],
      [
        'leaves a rejection unhandled',
        'rejects-aside.ts',
        'An error that no code caught ended the process of the tool; it may stem from an earlier call: nobody listens',
      ],
      ['uses up its memory', 'hog.ts', 'It used up the 256 MiB of memory that a tool process may use, and was ended.'],
    ])('%s', async (_name, entry, message) => {
      const executor = start();
      const failure = failureOf(await call(executor, entry, { timeoutMs: 60_000 }));
      expect(failure).toMatchObject({ code: 'EXECUTION_ERROR', message });
      expect(failure.effect).toBeUndefined();
      expect((await call(executor, 'echo.ts')).ok).toBe(true);
    });

    it('fails in the background of a later call, which must not pass as a success', async () => {
      const executor = start();
      expect(resultOf(await call(executor, 'rejects-afterwards.ts'))).toBe('fine');
      expect(failureOf(await call(executor, 'sets-off.ts')).message).toContain('from an earlier call');
    });
  });

  it('gives a call to another process when the warm one died unnoticed', async () => {
    const executor = start();
    const pid = resultOf(await call(executor, 'pid.ts')) as number;
    process.kill(pid, 'SIGKILL');
    expect(resultOf(await call(executor, 'pid.ts'))).not.toBe(pid);
  });

  it.each<[keyof typeof files, string]>([
    ['broken.ts', 'Its file broken.ts could not be loaded: at the top of ./broken.ts'],
    ['not-a-tool.ts', 'Its file not-a-tool.ts could not be loaded: The default export of not-a-tool.ts is not made by defineAgentTool but of type number.'],
  ])('says that %s did not load, before anything began', async (entry, message) => {
    expect(failureOf(await call(start(), entry))).toMatchObject({ code: 'EXECUTION_ERROR', message, effect: 'none' });
  });

  it.each<[string, () => ToolCapability]>([
    ['another graph', () => moduleTool({ ...graph, digest: 'sha256:other' }, 'echo.ts')],
    ['this process', () => liveTool({ execute: () => 1 })],
  ])('has no code of %s', async (_name, make) => {
    const tool = make();
    const end = await start().run(tool, requestFor(tool), new RecordingHost(), never);
    expect(failureOf(end)).toMatchObject({ code: 'INTERNAL', effect: 'none' });
  });

  it('says that no process could be started, and nothing began', async () => {
    const executor = start();
    const gone = { ...graph, digest: 'sha256:gone' as const, root: join(root, 'not-there') };
    executor.retain(gone);
    const tool = moduleTool(gone, 'echo.ts');
    const end = await executor.run(tool, requestFor(tool), new RecordingHost(), never);
    expect(failureOf(end)).toMatchObject({
      code: 'EXECUTION_ERROR',
      message: 'The process for the tool could not be started.',
      effect: 'none',
    });
  });

  describe('validates where the code is:', () => {
    function validate(entry: keyof typeof files, input: JsonObject, timeoutMs = 20_000) {
      return start().validate(moduleTool(graph, entry, { timeoutMs, ownValidator: true }), input, {}, never);
    }

    it('all that is wrong, or nothing', async () => {
      expect(await validate('validated.ts', { city: '北京' })).toEqual([]);
      const issues = await validate('validated.ts', { city: 'x', days: 'y' });
      expect(issues.map((issue) => issue.pointer)).toEqual(['/city', '/days']);
      expect(await validate('echo.ts', { any: 'thing' })).toEqual([]);
    });

    it.each<[keyof typeof files, string, string]>([
      ['bad-validator.ts', 'EXECUTION_ERROR', 'broke in ./bad-validator.ts'],
      ['slow-validator.ts', 'TIMEOUT', 'It did not end within its time limit of 300 ms.'],
      ['broken.ts', 'EXECUTION_ERROR', 'Its file broken.ts could not be loaded: at the top of ./broken.ts'],
    ])('a validator that fails by itself (%s)', async (entry, code, message) => {
      const failure = await validate(entry, {}, 300).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ValidatorFailure);
      expect(failure).toMatchObject({ end: { code, message } });
    });
  });

  it('closes: running calls are cancelled, processes are gone, nothing begins any more', async () => {
    const executor = start();
    const pid = resultOf(await call(executor, 'pid.ts')) as number;
    const host = new RecordingHost();
    const running = call(executor, 'deaf.ts', { host });
    await host.untilProgress(1);
    await executor.close();
    expect(failureOf(await running).code).toBe('CANCELLED');
    expect(failureOf(await call(executor, 'echo.ts'))).toMatchObject({ code: 'CANCELLED', effect: 'none' });
    await untilGone(pid);
    await untilGone(host.progressed[0] as number);
  });
});
