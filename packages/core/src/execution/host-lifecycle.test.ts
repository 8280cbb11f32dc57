import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileGraph } from './fixtures/compile-graph.ts';

const run = promisify(execFile);

function toolFile(execute: string, fields = ''): string {
  return `import { defineAgentTool } from 'baigong'; import { writeSync } from 'node:fs'; import { z } from 'zod'; void writeSync; void z;
    export default defineAgentTool({ description: 'x', ${fields} async execute() { ${execute} } });`;
}

let root: string;
let graphFile: string;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'baigong-')));
  const graph = await compileGraph(root, {
    'pid.ts': toolFile('return process.pid;'),
    'blocks.ts': 'for (;;);',
    'exits.ts': 'process.exit(3);',
    'loop.ts': toolFile('for (;;);'),
    'garbage-after.ts': toolFile('setImmediate(() => writeSync(3, "garbage")); return 1;'),
    'exits-after.ts': toolFile('setImmediate(() => process.exit()); return 1;'),
    'endless-validator.ts': toolFile('', 'inputSchema: z.object({}).refine(() => { for (;;); }),'),
  });
  graphFile = join(root, 'graph.json');
  await writeFile(graphFile, JSON.stringify(graph));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const flags = ['--conditions=baigong-source', '--disable-warning=ExperimentalWarning'];

describe('a host that only waits', () => {
  it.each<[string, string, string[], string]>([
    ['a file that blocks, as the only one', 'describe', ['blocks.ts'], '1\nclosed\n'],
    ['a file that blocks, as the last', 'describe', ['pid.ts', 'blocks.ts'], '0,1\nclosed\n'],
    ['a file that exits, as the last', 'describe', ['pid.ts', 'exits.ts'], '0,1\nclosed\n'],
    ['a tool that blocks', 'run', ['loop.ts'], 'closed\n'],
    ['a tool that writes on the pipe after its result', 'run', ['garbage-after.ts'], 'closed\n'],
    ['a tool that exits after its result', 'run', ['exits-after.ts'], 'closed\n'],
    ['a validator that blocks', 'validate', ['endless-validator.ts'], 'closed\n'],
  ])('gets its answers from %s', async (_name, mode, entries, printed) => {
    const script = join(import.meta.dirname, 'fixtures/alone-host-script.ts');
    const { stdout } = await run(process.execPath, [...flags, script, graphFile, mode, ...entries]);
    expect(stdout).toBe(printed);
  });
});

describe('a host that may open no more files', () => {
  it('is told so, and goes on', async () => {
    const script = join(import.meta.dirname, 'fixtures/scarce-host-script.ts');
    const command = ['ulimit -n 256; exec "$0" "$@"', process.execPath, ...flags, script, graphFile];
    const { stdout } = await run('/bin/sh', ['-c', ...command]);
    const results = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { described: string; end: unknown; after: boolean });
    expect(results).toHaveLength(9);
    expect(results.every(({ after }) => after)).toBe(true);
    expect(results[0]).toMatchObject({
      described: expect.stringContaining('no more files'),
      end: { ok: false, code: 'EXECUTION_ERROR', effect: 'none', retryable: true },
    });
    for (const { end } of results) {
      if (end !== 'ok') expect(end).toMatchObject({ code: 'EXECUTION_ERROR', effect: 'none', retryable: true });
    }
  });
});
