import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ToolCapability } from '../contracts/capability.ts';
import type { Json, JsonObject } from '../contracts/json.ts';
import { executionLimits } from './execution-limits.ts';
import { failureOf, liveTool, moduleTool, RecordingHost, requestFor } from './fixtures/call-fixtures.ts';
import { processHarness, resultOf, type ToolFile } from './fixtures/process-harness.ts';
import { ownShells, untilGone } from './fixtures/process-state.ts';
import { ValidatorFailure } from './validator-failure.ts';

const never = new AbortController().signal;
const { graph, start, call } = processHarness();

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
      cwd: graph().root,
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
    const tool = moduleTool(graph(), 'echo.ts');
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
    const tool = moduleTool(graph(), 'tools/constructor/index.ts', { name: 'constructor' });
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

  describe('survives code that', () => {
    it.each<[string, ToolFile, string]>([
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

  it.each<[ToolFile, string]>([
    ['broken.ts', 'Its file broken.ts could not be loaded: at the top of ./broken.ts'],
    [
      'not-a-tool.ts',
      'Its file not-a-tool.ts could not be loaded: The default export of not-a-tool.ts is not made by defineAgentTool but of type number.',
    ],
  ])('says that %s did not load, before anything began', async (entry, message) => {
    expect(failureOf(await call(start(), entry))).toMatchObject({ code: 'EXECUTION_ERROR', message, effect: 'none' });
  });

  it.each<[string, () => ToolCapability]>([
    ['another graph', () => moduleTool({ ...graph(), digest: 'sha256:other' }, 'echo.ts')],
    ['this process', () => liveTool({ execute: () => 1 })],
  ])('has no code of %s', async (_name, make) => {
    const tool = make();
    const end = await start().run(tool, requestFor(tool), new RecordingHost(), never);
    expect(failureOf(end)).toMatchObject({ code: 'INTERNAL', effect: 'none' });
  });

  it('says that no process could be started, and nothing began', async () => {
    const executor = start();
    const gone = { ...graph(), digest: 'sha256:gone' as const, root: join(graph().root, 'not-there') };
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
    function validate(entry: ToolFile, input: JsonObject, timeoutMs = 20_000) {
      return start().validate(moduleTool(graph(), entry, { timeoutMs, ownValidator: true }), input, {}, never);
    }

    it('all that is wrong, or nothing', async () => {
      expect(await validate('validated.ts', { city: '北京' })).toEqual([]);
      const issues = await validate('validated.ts', { city: 'x', days: 'y' });
      expect(issues.map((issue) => issue.pointer)).toEqual(['/city', '/days']);
      expect(await validate('echo.ts', { any: 'thing' })).toEqual([]);
    });

    it.each<[ToolFile, string, string]>([
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
    expect(ownShells()).toEqual([]);
    expect(failureOf(await running).code).toBe('CANCELLED');
    expect(failureOf(await call(executor, 'echo.ts'))).toMatchObject({ code: 'CANCELLED', effect: 'none' });
    await untilGone(pid);
    await untilGone(host.progressed[0] as number);
  });
});
