import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModuleGraph } from '../contracts/module-graph.ts';
import { executionLimits } from './execution-limits.ts';
import { failureOf, moduleTool, RecordingHost, requestFor } from './fixtures/call-fixtures.ts';
import { compileGraph } from './fixtures/compile-graph.ts';
import { untilGone } from './fixtures/process-state.ts';
import { createProcessExecutor, type ProcessExecutor } from './process-executor.ts';

const never = new AbortController().signal;

/** A tool that writes on the runtime's pipe itself, then waits to be told otherwise. */
function hostileTool(body: string): string {
  const seeksId = /\bid\b/.test(body);
  return `import { defineAgentTool } from 'baigong';
import { closeSync, writeSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { getHeapSnapshot } from 'node:v8';
void randomBytes; void closeSync;
/** Writes all of it, although the pipe does not block. */
function write(bytes: Uint8Array): void {
  for (let sent = 0; sent < bytes.length; ) {
    try { sent += writeSync(3, bytes, sent); } catch (error) { if ((error as { code?: string }).code !== 'EAGAIN') throw error; }
  }
}
function frame(value: unknown): Uint8Array {
  const text = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
  const header = Buffer.alloc(4);
  header.writeUInt32BE(text.length);
  return Buffer.concat([header, text]);
}
void frame;
/** The id of the call, dug out of the memory of the process: this is no security boundary. */
async function findId(): Promise<string> {
  const snapshot = JSON.parse(await text(getHeapSnapshot())) as { strings: string[] };
  const ids = snapshot.strings.filter((one) => /^[0-9a-f]{32}$/.test(one));
  if (ids.length !== 1) throw new Error('found ' + ids.length);
  return ids[0] ?? '';
}
void findId;
export default defineAgentTool({
  description: 'x',
  async execute(_input, context) {
    context.progress(process.pid);
    ${seeksId ? 'const id = await findId();' : ''}
    ${body}
    await new Promise(() => setInterval(() => {}, 1_000));
  },
});`;
}

const hostile: Readonly<Record<string, string>> = {
  'random bytes': 'write(randomBytes(100_000));',
  'a length beyond the limit': 'write(Buffer.from([0xff, 0xff, 0xff, 0xff])); write(Buffer.alloc(1_000));',
  'a frame of no bytes': 'write(Buffer.from([0, 0, 0, 0]));',
  'a frame that is no JSON': 'write(frame("{"));',
  'a frame of the wrong shape': 'write(frame({ type: "result", id: "x" }));',
  'a frame that is a list': 'write(frame([1]));',
  'a frame of an inherited type': 'write(frame({ type: "constructor", id }));',
  'a result of another call': 'write(frame({ type: "result", id: id.replace(/^./, "x"), value: "forged" }));',
  'an error of an earlier call': 'write(frame({ type: "error", id: 1, code: "EXECUTION_ERROR", message: "forged" }));',
  'that it is ready, again': 'write(frame({ type: "ready" }));',
  'that it started, again': 'write(frame({ type: "started", id }));',
  'a description in a call': 'write(frame({ type: "described", id, entry: { entry: "a", problems: [] } }));',
  'a verdict of the host': 'write(frame({ type: "error", id, code: "OUTCOME_UNKNOWN", message: "forged" }));',
  'a value that is nothing but depth':
    'write(frame("{\\"type\\":\\"result\\",\\"id\\":\\"" + id + "\\",\\"value\\":" + "[".repeat(1e6) + "]".repeat(1e6) + "}"));',
  'a flood of progress': 'for (let n = 0; n < 100_000; n += 1) write(frame({ type: "progress", id, value: n }));',
  'a flood of log messages':
    'for (let n = 0; n < 100_000; n += 1) write(frame({ type: "log", id, level: "info", message: "x" }));',
};

/** Ends every stream of the process that has an end. */
const END_PIPES =
  'for (const handle of (process as unknown as { _getActiveHandles(): { end?(): void }[] })._getActiveHandles()) handle.end?.();';

const entries = new Map(Object.keys(hostile).map((name, index) => [name, `hostile-${index}.ts`]));

describe('a child whose code writes on the pipe itself', () => {
  let root: string;
  let graph: ModuleGraph;
  let executor: ProcessExecutor;

  beforeAll(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'baigong-')));
    graph = await compileGraph(root, {
      ...Object.fromEntries(
        Object.entries(hostile).map(([name, body]) => [entries.get(name) ?? name, hostileTool(body)]),
      ),
      'good.ts': `import { defineAgentTool } from 'baigong'; export default defineAgentTool({ description: 'x', execute: (input) => input });`,
      'closes-pipe.ts': hostileTool('closeSync(3);'),
      'ends-pipe.ts': hostileTool(END_PIPES),
      'ends-pipe-and-blocks.ts': hostileTool(`${END_PIPES} await new Promise(setImmediate); while (true);`),
      'large-progress.ts': hostileTool(
        'write(frame({ type: "progress", id, value: "x".repeat(1_000_000) })); write(frame({ type: "progress", id, value: 2 })); return 1;',
      ),
      'asks-much.ts': hostileTool(
        'for (let request = 1; request <= 500; request += 1) write(frame({ type: "context", id, request: 1_000_000 + request, operation: "session-get", args: ["k"] })); return 1;',
      ),
    });
    executor = createProcessExecutor({ maxChildren: 1 });
    executor.retain(graph);
  });
  afterAll(async () => {
    await executor.close();
    await rm(root, { recursive: true, force: true });
  });

  async function call(entry: string, host: RecordingHost) {
    const tool = moduleTool(graph, entry);
    return executor.run(tool, requestFor(tool, { n: 1 }), host, never);
  }

  async function endWarmChild(): Promise<void> {
    const fresh = createProcessExecutor({ maxChildren: 1 });
    fresh.retain(graph);
    await executor.close();
    executor = fresh;
  }

  it.each(Object.keys(hostile))('%s: is ended, and with it only its call', async (name) => {
    await endWarmChild();
    const host = new RecordingHost();
    const failure = failureOf(await call(entries.get(name) ?? '', host));
    expect(failure).toMatchObject({
      code: 'EXECUTION_ERROR',
      message: 'Its process was ended: it wrote on the pipe that only the runtime may use.',
      stack: expect.any(String),
    });
    // Whether it happened is for dispatch to say.
    expect(failure.effect).toBeUndefined();
    await untilGone(host.progressed[0] as number);
    expect(host.progressed.length).toBeLessThanOrEqual(executionLimits.progressPerCall);
    expect(host.logged.length).toBeLessThanOrEqual(executionLimits.logsPerCall);
    expect(await call('good.ts', new RecordingHost())).toEqual({ ok: true, value: { n: 1 } });
  });

  it.each(['closes-pipe.ts', 'ends-pipe.ts', 'ends-pipe-and-blocks.ts'])('%s: is ended', async (entry) => {
    await endWarmChild();
    const host = new RecordingHost();
    expect(failureOf(await call(entry, host))).toMatchObject({ code: 'EXECUTION_ERROR' });
    await untilGone(host.progressed[0] as number);
    expect((await call('good.ts', new RecordingHost())).ok).toBe(true);
  });

  it('drops progress that is too large', async () => {
    await endWarmChild();
    const host = new RecordingHost();
    expect(await call('large-progress.ts', host)).toEqual({ ok: true, value: 1 });
    expect(host.progressed.slice(1)).toEqual([2]);
  });

  it('answers a bounded number of questions of the code at a time', async () => {
    await endWarmChild();
    const host = new RecordingHost();
    let open = 0;
    let most = 0;
    host.ask = async () => {
      open += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
      return undefined;
    };
    expect((await call('asks-much.ts', host)).ok).toBe(true);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(64);
  });
});
