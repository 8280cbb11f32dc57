import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ToolContext } from '../authoring/tool-context.ts';
import { failureOf, liveTool, moduleTool, RecordingHost, requestFor } from './fixtures/call-fixtures.ts';
import { compileGraph } from './fixtures/compile-graph.ts';
import { createInlineExecutor } from './inline-executor.ts';
import { ValidatorFailure } from './validator-failure.ts';

const never = new AbortController().signal;

/** Runs a live tool by a new executor. */
function run(
  execute: (input: never, context: ToolContext) => unknown,
  { signal = never, timeoutMs = 20_000, host = new RecordingHost() } = {},
) {
  const tool = liveTool({ execute }, { timeoutMs });
  return createInlineExecutor().run(tool, requestFor(tool, { list: [1] }), host, signal);
}

describe('createInlineExecutor', () => {
  it('runs objects of this process', async () => {
    const secret = { live: true };
    expect(await run(() => ({ same: secret.live }))).toEqual({ ok: true, value: { same: true } });
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
    const execute = (_input: never, context: ToolContext) => {
      context.progress(1);
      context.log.info('x');
      return 1;
    };
    expect(await run(execute, { host })).toEqual({ ok: true, value: 1 });
  });

  it('works where the working folder was removed', async () => {
    const script = join(import.meta.dirname, 'fixtures/homeless-host-script.ts');
    const flags = ['--conditions=baigong-source', '--disable-warning=ExperimentalWarning'];
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, script]);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, code: 'EXECUTION_ERROR', message: 'left' });
  });

  it('ends the waiting at the time limit, drops what comes later, and tells the code', async () => {
    const host = new RecordingHost();
    const late = Promise.withResolvers<void>();
    const finished = Promise.withResolvers<void>();
    const signals: AbortSignal[] = [];
    const end = await run(
      async (_input, context) => {
        signals.push(context.signal);
        await late.promise;
        context.progress('late');
        context.log.info('late');
        await context.session.set('late', 1).catch(() => {});
        finished.resolve();
        throw new Error('late, and nobody must be bothered by it');
      },
      { timeoutMs: 20, host },
    );
    expect(failureOf(end)).toMatchObject({ code: 'TIMEOUT' });
    expect(failureOf(end).effect).toBeUndefined();
    expect(signals[0]?.reason).toMatchObject({ name: 'TimeoutError' });
    late.resolve();
    await finished.promise;
    expect([host.progressed, host.logged, host.values.size]).toEqual([[], [], 0]);
  });

  it('ends the waiting when the signal aborts', async () => {
    const controller = new AbortController();
    const seen = Promise.withResolvers<AbortSignal>();
    const running = run(
      (_input, context) => {
        seen.resolve(context.signal);
        return new Promise(() => {});
      },
      { signal: controller.signal },
    );
    const signal = await seen.promise;
    controller.abort();
    expect(failureOf(await running)).toMatchObject({ code: 'CANCELLED' });
    expect(failureOf(await running).effect).toBeUndefined();
    expect(signal.reason).toMatchObject({ name: 'AbortError' });
  });

  it('begins nothing when the signal has aborted before', async () => {
    let began = false;
    const end = await run(
      () => {
        began = true;
      },
      { signal: AbortSignal.abort() },
    );
    expect(failureOf(end)).toMatchObject({ code: 'CANCELLED', effect: 'none' });
    expect(began).toBe(false);
  });

  it('keeps the recorded input from what the code does to it', async () => {
    const tool = liveTool({ execute: (input: { list: number[] }) => input.list.push(2) });
    const request = requestFor(tool, { list: [1] });
    const end = await createInlineExecutor().run(tool, request, new RecordingHost(), never);
    expect(end).toEqual({ ok: true, value: 2 });
    expect(request.input).toEqual({ list: [1] });
  });

  it('says that code it was never given is a fault of ours', async () => {
    const tool = moduleTool({ digest: 'sha256:unknown', root: '/', modules: [] }, 'a.ts');
    const end = await createInlineExecutor().run(tool, requestFor(tool), new RecordingHost(), never);
    expect(failureOf(end)).toMatchObject({ code: 'INTERNAL', effect: 'none' });
  });

  describe('with the code of a graph', () => {
    let root: string;
    const inline = createInlineExecutor();
    let tools: Map<string, ReturnType<typeof moduleTool>>;

    beforeAll(async () => {
      root = await realpath(await mkdtemp(join(tmpdir(), 'baigong-')));
      const files = {
        'count.ts': `import { defineAgentTool } from 'baigong'; let n = 0;
          export default defineAgentTool({ description: 'x', execute: () => (n += 1) });`,
        'throws.ts': `import { defineAgentTool } from 'baigong';
export default defineAgentTool({
  description: 'x',
  execute() { throw new Error('in ' + import.meta.filename); },
});`,
        'broken.ts': `throw new Error('at the top');`,
        'nothing.ts': 'export const value = 1;',
      };
      const graph = await compileGraph(root, files);
      inline.retain(graph);
      inline.retain(graph);
      tools = new Map(Object.keys(files).map((entry) => [entry, moduleTool(graph, entry)]));
    });
    afterAll(() => rm(root, { recursive: true, force: true }));

    async function call(entry: string) {
      const tool = tools.get(entry);
      if (tool === undefined) throw new Error(entry);
      return inline.run(tool, requestFor(tool), new RecordingHost(), never);
    }

    it('evaluates it once', async () => {
      expect(await call('count.ts')).toEqual({ ok: true, value: 1 });
      expect(await call('count.ts')).toEqual({ ok: true, value: 2 });
    });

    it('names places in it', async () => {
      expect(failureOf(await call('throws.ts'))).toMatchObject({
        message: 'in ./throws.ts',
        stack: expect.stringMatching(/\bthrows\.ts:4:21\b/),
      });
    });

    it.each([
      ['broken.ts', 'Its file broken.ts could not be loaded: at the top'],
      ['nothing.ts', 'Its file nothing.ts could not be loaded: nothing.ts has no default export.'],
    ])('says that %s could not be loaded', async (entry, message) => {
      expect(failureOf(await call(entry))).toMatchObject({ code: 'EXECUTION_ERROR', message, effect: 'none' });
    });
  });

  describe('validates by the tool’s own schema:', () => {
    const inputSchema = z.object({ city: z.string().min(2), tags: z.array(z.string()) });
    const inline = createInlineExecutor();

    it('nothing is wrong', async () => {
      const tool = liveTool({ inputSchema, execute: () => 1 });
      expect(await inline.validate(tool, { city: '北京', tags: [] }, {}, never)).toEqual([]);
      expect(await inline.validate(liveTool({ execute: () => 1 }), { any: 'thing' }, {}, never)).toEqual([]);
    });

    it('everything that is wrong', async () => {
      const tool = liveTool({ inputSchema, execute: () => 1 });
      const issues = await inline.validate(tool, { city: 'x', tags: ['a', 1] }, {}, never);
      expect(issues.map((issue) => issue.pointer)).toEqual(['/city', '/tags/1']);
    });

    it.each<[string, () => unknown, AbortSignal, string]>([
      [
        'it throws',
        () => {
          throw new Error('no');
        },
        never,
        'EXECUTION_ERROR',
      ],
      ['it never ends', () => new Promise(() => {}), never, 'TIMEOUT'],
      ['nobody waits', () => ({ value: 1 }), AbortSignal.abort(), 'CANCELLED'],
    ])('%s', async (_name, validate, signal, code) => {
      const schema = { '~standard': { version: 1, vendor: 'test', validate } };
      const tool = liveTool({ inputSchema: schema, execute: () => 1 }, { timeoutMs: 30 });
      const failure = await inline.validate(tool, {}, {}, signal).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ValidatorFailure);
      expect(failure).toMatchObject({ end: { code } });
    });
  });
});
