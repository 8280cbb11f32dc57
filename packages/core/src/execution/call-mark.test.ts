import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ModuleGraph } from '../contracts/module-graph.ts';
import { entriesOf, moduleTool, RecordingHost, requestFor } from './fixtures/call-fixtures.ts';
import { compileGraph } from './fixtures/compile-graph.ts';
import { resultOf } from './fixtures/process-harness.ts';
import { createProcessExecutor, type ProcessExecutor } from './process-executor.ts';

const never = new AbortController().signal;
const files = {
  'mark.ts': `
    import { defineAgentTool } from 'baigong';
    import { execFileSync } from 'node:child_process';
    const atLoading = process.env.BAIGONG_CALL;
    export default defineAgentTool({ description: String(atLoading), execute() {
      const below = execFileSync('/bin/sh', ['-c', 'printf %s "$BAIGONG_CALL"']).toString();
      return { atLoading, running: process.env.BAIGONG_CALL, below, told: process.env.TOLD };
    } });`,
  'plugin.ts': `
    import { definePlugin } from 'baigong';
    export default definePlugin({ name: 'marked', setup() { console.log('mark: ' + process.env.BAIGONG_CALL); } });`,
};

let root = '';
let graph: ModuleGraph | undefined;
const open: ProcessExecutor[] = [];
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'baigong-')));
  graph = await compileGraph(root, files);
});
afterEach(async () => {
  for (const executor of open.splice(0)) await executor.close();
});
afterAll(() => rm(root, { recursive: true, force: true }));

describe('processes that run code bear a mark', () => {
  const environments: readonly [string, Record<string, string>][] = [
    ['by itself', { TOLD: 'a' }],
    ['with another value handed on', { TOLD: 'b', BAIGONG_CALL: '0' }],
    ['with none handed on', { TOLD: 'c', BAIGONG_CALL: '' }],
  ];

  it.each(environments)('%s', async (_how, environment) => {
    if (graph === undefined) throw new Error('not compiled yet');
    const log: string[] = [];
    const executor = createProcessExecutor({ environment, log: (_plugin, _level, message) => log.push(message) });
    open.push(executor);
    executor.retain(graph);
    const described = await executor.describe(graph, entriesOf(['mark.ts']), never);
    expect(described).toMatchObject([{ problems: [], declaration: { fields: { description: '1' } } }]);
    const request = { graph, entry: 'plugin.ts', plugin: 'marked', config: {}, service: () => undefined };
    const instance = await executor.setUp(request, never);
    expect(log.join('')).toContain('mark: 1');
    await instance.dispose();
    const tool = moduleTool(graph, 'mark.ts');
    const run = async () => resultOf(await executor.run(tool, requestFor(tool), new RecordingHost(), never));
    expect(await run()).toEqual({ atLoading: '1', running: '1', below: '1', told: environment.TOLD });
    executor.configure({ maxChildren: 1, environment: { TOLD: 'later', BAIGONG_CALL: 'no' } });
    expect(await run()).toEqual({ atLoading: '1', running: '1', below: '1', told: 'later' });
  });
});
