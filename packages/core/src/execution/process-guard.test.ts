import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { compileGraph } from './fixtures/compile-graph.ts';
import { isRunning, ownShells, untilGone } from './fixtures/process-state.ts';
import { ProcessGuard } from './process-guard.ts';

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

function sleeper(): number {
  const child = spawn('sleep', ['60'], { stdio: 'ignore', detached: true });
  started.push(child);
  if (child.pid === undefined) throw new Error('sleep did not start');
  return child.pid;
}

describe('ProcessGuard', () => {
  it('ends the groups that are still watched when it goes, and no other', async () => {
    const guard = new ProcessGuard();
    const [first, second, third] = [sleeper(), sleeper(), sleeper()];
    guard.watch(first);
    guard.watch(second);
    guard.watch(third);
    guard.forget(second);
    await guard.close();
    expect(ownShells()).toEqual([]);
    await untilGone(first);
    await untilGone(third);
    expect(isRunning(second)).toBe(true);
  });
});

describe('children of a host', () => {
  let root: string;
  let graphFile: string;

  beforeAll(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'baigong-')));
    const graph = await compileGraph(root, {
      'pid.ts': `import { defineAgentTool } from 'baigong'; export default defineAgentTool({ description: 'x', execute: () => process.pid });`,
      'loop.ts': `import { defineAgentTool } from 'baigong'; import { spawn } from 'node:child_process';
        export default defineAgentTool({ description: 'x', execute(_input, context) {
          const { pid = 0 } = spawn('sleep', ['60'], { stdio: 'ignore' });
          context.progress([process.pid, pid]); while (true); } });`,
    });
    graphFile = join(root, 'graph.json');
    await writeFile(graphFile, JSON.stringify(graph));
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  function startHost(...args: string[]): { host: ChildProcess; pids: Promise<number[]> } {
    const host = spawn(
      process.execPath,
      [
        '--conditions=baigong-source',
        '--disable-warning=ExperimentalWarning',
        join(import.meta.dirname, 'fixtures/host-script.ts'),
        graphFile,
        ...args,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    started.push(host);
    const lines = createInterface({ input: host.stdout });
    const pids = once(lines, 'line').then(([line]) => JSON.parse(line as string) as number[]);
    return { host, pids };
  }

  it('do not outlive one that is killed, idle or blocked, nor do their children', async () => {
    const { host, pids } = startHost('wait');
    const all = await pids;
    expect(all).toHaveLength(3);
    expect(all.map(isRunning)).toEqual([true, true, true]);
    host.kill('SIGKILL');
    for (const pid of all) await untilGone(pid);
  });

  it('do not keep one alive that has nothing left to do, and go with it', async () => {
    const { host, pids } = startHost();
    const [all, [code]] = await Promise.all([pids, once(host, 'exit')]);
    expect(code).toBe(0);
    expect(all).toHaveLength(1);
    for (const pid of all) await untilGone(pid);
  });
});
