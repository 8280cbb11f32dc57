import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { DescribedEntry } from '../contracts/code-host.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { entriesOf, moduleTool, RecordingHost, requestFor } from './fixtures/call-fixtures.ts';
import { compileGraph } from './fixtures/compile-graph.ts';
import { createProcessExecutor, type ProcessExecutor, type ProcessExecutorOptions } from './process-executor.ts';

const never = new AbortController().signal;
const fine = `import { defineAgentTool } from 'baigong'; export default defineAgentTool({ description: 'x', execute: () => process.pid });`;

let root: string;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'baigong-')));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const open: ProcessExecutor[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((executor) => executor.close()));
});

async function describeFiles(
  files: Readonly<Record<string, string>>,
  options: ProcessExecutorOptions = {},
  entries = Object.keys(files).filter((path) => !/^(lib|node_modules)\//.test(path)),
) {
  const folder = await mkdtemp(join(root, 'case-'));
  const graph = await compileGraph(folder, files);
  const executor = createProcessExecutor(options);
  open.push(executor);
  executor.retain(graph);
  const described = await executor.describe(graph, entriesOf(entries), never);
  return { folder, graph, executor, described };
}

/** Everything that is wrong, as a person reads it. */
function faults(described: readonly DescribedEntry[]) {
  return described.flatMap(({ problems }) =>
    problems.map((problem) => [problem.code, problem.file, renderText(problem.message, 'en')]),
  );
}

describe('describing a graph', () => {
  it('tells as plain data what each entry declares, in their order', async () => {
    const { described } = await describeFiles({
      'z.ts': `import { defineAgentTool } from 'baigong'; import { z } from 'zod';
        export default defineAgentTool({ description: '天气', tags: ['a'], timeoutMs: 5, inputSchema: z.object({ city: z.string() }), outputSchema: z.string(), execute: () => '' });`,
      'a.cjs': `const { defineAgentTool } = require('@zhin.js/tool'); module.exports = defineAgentTool({ description: 'x', inputSchema: { type: 'object' }, execute() {} });`,
    });
    expect(described).toEqual([
      {
        entry: 'z.ts',
        declaration: {
          fields: {
            description: '天气',
            tags: ['a'],
            timeoutMs: 5,
            inputSchema: {
              $schema: 'https://json-schema.org/draft/2020-12/schema',
              type: 'object',
              properties: { city: { type: 'string' } },
              required: ['city'],
            },
            outputSchema: { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'string' },
          },
          ownValidator: true,
        },
        problems: [],
      },
      {
        entry: 'a.cjs',
        declaration: { fields: { description: 'x', inputSchema: { type: 'object' } }, ownValidator: false },
        problems: [],
      },
    ]);
  });

  it('names everything that is wrong, with file and place, and loads the rest', async () => {
    const tool = (fields: string) =>
      `import { defineAgentTool } from 'baigong'; import { z } from 'zod'; void z; export default defineAgentTool({ description: 'x', ${fields} } as never);`;
    const { described } = await describeFiles({
      'throws.ts': 'const unused: number = 1;\n\n  throw new Error("no " + import.meta.filename);',
      'shared-fault.ts': 'import { value } from "./lib/shared.ts"; export default value;',
      'lib/shared.ts': 'interface Unused { a: 1 }\nexport const value = JSON.parse("{");',
      'missing.ts': 'import x from "@scope/not-installed/deep"; export default x;',
      'package-throws.ts': 'import x from "angry"; export default x;',
      'node_modules/angry/package.json': '{"name":"angry","main":"index.js"}',
      'node_modules/angry/index.js': 'throw new Error("angry in " + __filename);',
      'throws-null.ts': 'throw null;',
      'rejects.ts': `Promise.reject(new Error('left alone')); ${fine}`,
      'no-default.ts': 'export const tool = 1;',
      'not-a-tool.ts': 'export default { description: "x", execute() {} };',
      'null.ts': 'export default null;',
      'no-execute.ts': tool(''),
      'execute-text.ts': tool('execute: "x"'),
      'not-json.ts': tool('execute() {}, tags: ["a", 1n], version: new Map()'),
      'date.ts': tool('execute() {}, inputSchema: z.object({ at: z.date() })'),
      'old-zod.ts': tool(
        'execute() {}, inputSchema: { "~standard": { version: 1, vendor: "zod", validate: () => ({ value: 1 }) } }',
      ),
      'older-zod.ts': `class ZodObject { _def = 1 } ${tool('execute() {}, inputSchema: new ZodObject()')}`,
      'getter.ts': tool('execute() {}, get tags() { throw new Error("never"); }'),
      'fine.ts': fine,
    });
    expect(faults(described)).toEqual([
      ['LOAD_ERROR', 'throws.ts:3:9', 'throws.ts:3:9 failed while it was loaded: no ./throws.ts'],
      ['LOAD_ERROR', expect.stringMatching(/^lib\/shared\.ts:2:\d+$/), expect.stringContaining('JSON')],
      [
        'LOAD_ERROR',
        'missing.ts',
        'missing.ts imports the package "@scope/not-installed/deep", which is not installed.',
      ],
      [
        'LOAD_ERROR',
        'package-throws.ts',
        'package-throws.ts imports "angry", which failed while it was loaded: angry in ./node_modules/angry/index.js',
      ],
      [
        'LOAD_ERROR',
        'throws-null.ts',
        'throws-null.ts failed while it was loaded: Its code threw null without a message.',
      ],
      ['LOAD_ERROR', 'rejects.ts:1:16', 'rejects.ts:1:16 failed while it was loaded: left alone'],
      ['NO_DEFAULT_EXPORT', 'no-default.ts', 'no-default.ts has no default export.'],
      [
        'NOT_A_TOOL',
        'not-a-tool.ts',
        'The default export of not-a-tool.ts is not made by defineAgentTool but of type object.',
      ],
      ['NOT_A_TOOL', 'null.ts', 'The default export of null.ts is not made by defineAgentTool but of type null.'],
      ['MISSING_FIELD', 'no-execute.ts', 'The tool in no-execute.ts has no function execute.'],
      ['MISSING_FIELD', 'execute-text.ts', 'The tool in execute-text.ts has no function execute.'],
      ['NOT_JSON', 'not-json.ts', 'The field tags/1 in not-json.ts holds bigint, which is not JSON.'],
      ['NOT_JSON', 'not-json.ts', 'The field version in not-json.ts holds Map, which is not JSON.'],
      [
        'UNSUPPORTED_SCHEMA',
        'date.ts',
        expect.stringContaining('The schema inputSchema in date.ts has a part that JSON Schema cannot express'),
      ],
      [
        'UNSUPPORTED_SCHEMA',
        'old-zod.ts',
        'The schema inputSchema in old-zod.ts, made by zod, cannot say itself in JSON Schema.',
      ],
      [
        'UNSUPPORTED_SCHEMA',
        'older-zod.ts',
        'The schema inputSchema in older-zod.ts, made by ZodObject, cannot say itself in JSON Schema.',
      ],
      ['LOAD_ERROR', expect.stringMatching(/^getter\.ts/), expect.stringContaining('never')],
    ]);
    const hints = new Map(described.map(({ entry, problems }) => [entry, problems[0]?.hint]));
    expect(hints.get('missing.ts')).toMatchObject({ values: { package: '@scope/not-installed' } });
    for (const entry of ['date.ts', 'old-zod.ts', 'older-zod.ts']) {
      expect(renderText(hints.get(entry) ?? { key: 'none' }, 'en')).toMatch(/z\.iso\.datetime|Zod 4\.2/);
    }
    expect(described.find(({ entry }) => entry === 'fine.ts')).toMatchObject({ problems: [], declaration: {} });
    expect(described.every(({ problems }) => problems.every((problem) => problem.fatal))).toBe(true);
  });

  it('goes on past files that block, exit, or crash', async () => {
    const { described, executor, graph } = await describeFiles(
      {
        'a.ts': fine,
        'blocks.ts': 'while (true);',
        'b.ts': fine,
        'exits.ts': 'process.exit(0);',
        'awaits.ts': 'import { never } from "never"; export default never;',
        'node_modules/never/package.json': '{"name":"never","type":"module","exports":"./index.js"}',
        'node_modules/never/index.js': 'await new Promise(() => {}); export const never = 1;',
        'writes.ts': 'import { writeSync } from "node:fs"; writeSync(3, "garbage on the pipe"); while (true);',
        'kills.ts': 'process.kill(process.pid, "SIGKILL"); while (true);',
        'c.ts': fine,
      },
      { describeEntryMs: 3_000 },
    );
    expect(faults(described)).toEqual([
      ['LOAD_ERROR', 'blocks.ts', 'blocks.ts was not loaded within 3000 ms; its top-level code blocks or never ends.'],
      [
        'LOAD_ERROR',
        'exits.ts',
        'Loading exits.ts ended its process with exit code 0; its top-level code may call process.exit.',
      ],
      ['LOAD_ERROR', 'awaits.ts', 'awaits.ts was not loaded within 3000 ms; its top-level code blocks or never ends.'],
      ['LOAD_ERROR', 'writes.ts', 'While it was loaded, writes.ts wrote on the pipe that only the runtime may use.'],
      ['LOAD_ERROR', 'kills.ts', 'The process that loaded kills.ts was ended by the signal SIGKILL.'],
    ]);
    expect(described.filter(({ declaration }) => declaration !== undefined).map(({ entry }) => entry)).toEqual([
      'a.ts',
      'b.ts',
      'c.ts',
    ]);
    const tool = moduleTool(graph, 'a.ts');
    expect((await executor.run(tool, requestFor(tool), new RecordingHost(), never)).ok).toBe(true);
  });

  it('does not blame a file for what an earlier one left running', async () => {
    const { described } = await describeFiles({
      'bomb.ts': `setTimeout(() => process.exit(9), 0); ${fine}`,
      'slow.ts': `const end = Date.now() + 50; while (Date.now() < end); ${fine}`,
      'rejects-late.ts': `setTimeout(() => { throw new Error('late'); }, 0); ${fine}`,
      'rejects-text.ts': `setTimeout(() => { throw 'no stack'; }, 0); ${fine}`,
      'slower.ts': `const end = Date.now() + 50; while (Date.now() < end); ${fine}`,
      'end.ts': fine,
    });
    expect(described.map(({ declaration }) => declaration !== undefined)).toEqual(new Array(6).fill(true));
    expect(faults(described).map(([, file]) => file)).toEqual([
      expect.stringMatching(/^rejects-late\.ts:1:/),
      'rejects-text.ts',
    ]);
  });

  it('does not blame a file that an earlier one blocks', async () => {
    const { described } = await describeFiles(
      {
        'a.ts': `setTimeout(() => { for (;;); }, 0); ${fine}`,
        'b.ts': `const end = Date.now() + 50; while (Date.now() < end); ${fine}`,
        'c.ts': fine,
      },
      { describeEntryMs: 3_000 },
    );
    expect(faults(described)).toEqual([]);
    expect(described.map(({ entry }) => entry)).toEqual(['a.ts', 'b.ts', 'c.ts']);
  });

  it('lets no file answer for another', async () => {
    const forges = `import { writeSync } from 'node:fs';
      const forge = () => {
        const text = Buffer.from(JSON.stringify({ type: 'described', id: ID, entry: { entry: 'b.ts', problems: [], declaration: { fields: { description: 'forged' }, ownValidator: false } } }));
        const header = Buffer.alloc(4); header.writeUInt32BE(text.length); writeSync(3, Buffer.concat([header, text]));
      };
      // Hears of every conversation that our code lets it hear of, and answers for the next one.
      const { parse } = JSON; let ID: unknown = 1;
      JSON.parse = (text: string, ...rest: []) => { const value = parse(text, ...rest); if (value?.entry === 'b.ts') { ID = value.id; forge(); } return value; };
      ${fine}`;
    const { described } = await describeFiles({ 'a.ts': forges, 'b.ts': fine });
    expect(described.map(({ declaration }) => declaration?.fields.description)).toEqual(['x', 'x']);
  });

  it('describes more entries than one frame takes, past one that ends its process', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`t${index}.ts`, index === 270 ? 'process.exit(0);' : fine]),
    );
    const { described } = await describeFiles(files);
    expect(described.map(({ entry }) => entry)).toEqual(Object.keys(files));
    expect(described.flatMap(({ declaration }, index) => (declaration === undefined ? [index] : []))).toEqual([270]);
  });

  it('says which files there was no time for', async () => {
    const { described } = await describeFiles(
      { 'a.ts': fine, 'blocks.ts': 'while (true);', 'c.ts': fine },
      { describeEntryMs: 60_000, describeGraphMs: 3_000 },
    );
    expect(faults(described).map(([, file, message]) => [file, message])).toEqual([
      ['blocks.ts', expect.stringContaining('3000 ms')],
      ['c.ts', expect.stringContaining('3000 ms')],
    ]);
  });

  it('leaves its process warm, which describes what is clean the next time, and runs it', async () => {
    const { executor, graph, folder } = await describeFiles({ 'pid.ts': fine, 'other.ts': fine });
    const pidOf = async (of: typeof graph) => {
      const tool = moduleTool(of, 'pid.ts');
      const end = await executor.run(tool, requestFor(tool), new RecordingHost(), never);
      return end.ok ? end.value : end;
    };
    const first = await pidOf(graph);
    expect(await pidOf(graph)).toBe(first);
    const next = await compileGraph(folder, { 'pid.ts': fine, 'other.ts': `${fine} export const changed = 1;` });
    executor.retain(next);
    await executor.describe(next, entriesOf(['pid.ts', 'other.ts']), never);
    expect(await pidOf(next)).toBe(first);
  });

  it('blames no file for what a warm process has gone through', async () => {
    const { executor, graph, folder } = await describeFiles({
      'poisons.ts': `import { defineAgentTool } from 'baigong';
        export default defineAgentTool({ description: 'x', execute() { (globalThis as any).poisoned = true; return 1; } });`,
    });
    const poisons = moduleTool(graph, 'poisons.ts');
    const poison = () => executor.run(poisons, requestFor(poisons), new RecordingHost(), never);
    const files = {
      'throws.ts': `if ((globalThis as any).poisoned) throw new Error('poisoned'); ${fine}`,
      'exits.ts': `if ((globalThis as any).poisoned) process.exit(1); ${fine}`,
      'broken.ts': 'throw new Error("broken anyway");',
      'fine.ts': fine,
    };
    const next = await compileGraph(folder, files);
    executor.retain(next);
    expect((await poison()).ok).toBe(true);
    const described = await executor.describe(next, entriesOf(Object.keys(files)), never);
    expect(described.map(({ entry }) => entry)).toEqual(Object.keys(files));
    expect(faults(described).map(([, file]) => file)).toEqual([expect.stringMatching(/^broken\.ts:1:/)]);
  });

  it('describes each kind of definition, and says where the others belong', async () => {
    const files = {
      'section.ts': `import { defineAgentPromptSection } from '@zhin.js/prompt-section'; export default defineAgentPromptSection({ title: 't', content: 'c', order: 3 });`,
      'dynamic.ts': `import { defineAgentPromptSection } from 'zhin.js'; export default defineAgentPromptSection({ title: 't', content: () => 'c' });`,
      'hook.ts': `import { defineHook } from '@zhin.js/hook'; export default defineHook({ on: 'error', order: 1, handler() {} });`,
      'plugin.ts': `import { definePlugin, defineToken } from 'baigong'; import { z } from 'zod';
        export default definePlugin({ name: 'p', config: z.object({ key: z.string() }), provides: [defineToken('p.a')], uses: [defineToken('q.b')], setup() {} });`,
    };
    const folder = await mkdtemp(join(root, 'case-'));
    const graph = await compileGraph(folder, files);
    const executor = createProcessExecutor();
    open.push(executor);
    const release = executor.retain(graph);
    const kinds = ['prompt-section', 'prompt-section', 'hook', 'plugin'] as const;
    const described = await executor.describe(
      graph,
      Object.keys(files).map((entry, index) => ({ entry, kind: kinds[index] ?? 'tool' })),
      never,
    );
    expect(described.map(({ problems }) => problems)).toEqual([[], [], [], []]);
    expect(described.map(({ declaration }) => declaration)).toEqual([
      { fields: { title: 't', content: 'c', order: 3 }, ownValidator: false },
      { fields: { title: 't', dynamic: true }, ownValidator: false },
      { fields: { on: 'error', order: 1 }, ownValidator: false },
      {
        fields: {
          name: 'p',
          config: expect.objectContaining({ type: 'object', required: ['key'] }),
          provides: ['p.a'],
          uses: ['q.b'],
        },
        ownValidator: true,
      },
    ]);
    const misplaced = await executor.describe(graph, [{ entry: 'hook.ts', kind: 'tool' }], never);
    expect(misplaced[0]?.problems).toMatchObject([
      { code: 'NOT_A_TOOL', file: 'hook.ts', found: 'defineHook', expected: 'export default defineAgentTool({ … })' },
    ]);
    expect(renderText(misplaced[0]?.problems[0]?.hint ?? { key: 'plain' }, 'en')).toContain('hooks/<name>/index.ts');
    release();
  });

  it('names what a package does not export', async () => {
    const { described } = await describeFiles({
      'zod.ts': `import { z } from 'zod'; import { objekt, string as text } from 'zod'; import * as all from 'zod';
export const used = [z, text, (all as any).notThere];
export default objekt({});`,
      'ours.ts': `import { defineAgentTol } from 'baigong';

export default defineAgentTol({});`,
      'node.ts': `import { readFileSinc, readFileSync } from 'node:fs'; export default [readFileSinc, readFileSync];`,
    });
    expect(described.flatMap(({ problems }) => problems)).toMatchObject([
      { code: 'UNKNOWN_EXPORT', file: expect.stringMatching(/^zod\.ts:3:/), found: '"objekt"', expected: '"object"' },
      { code: 'UNKNOWN_EXPORT', file: expect.stringMatching(/^ours\.ts:3:/), expected: '"defineAgentTool"' },
      { code: 'UNKNOWN_EXPORT', file: expect.stringMatching(/^node\.ts:1:/), expected: '"readFileSync"' },
    ]);
  });

  it('rejects when nobody waits any more', async () => {
    const folder = await mkdtemp(join(root, 'case-'));
    const graph = await compileGraph(folder, { 'blocks.ts': 'while (true);' });
    const executor = createProcessExecutor();
    open.push(executor);
    const controller = new AbortController();
    const describing = executor.describe(graph, entriesOf(['blocks.ts']), controller.signal);
    controller.abort(new Error('enough'));
    await expect(describing).rejects.toThrow('enough');
    await expect(
      executor.describe(graph, entriesOf(['blocks.ts']), AbortSignal.abort(new Error('before'))),
    ).rejects.toThrow('before');
  });

  it('rejects when no process can be started', async () => {
    const executor = createProcessExecutor();
    open.push(executor);
    const graph = { digest: 'sha256:0' as const, root: join(root, 'not-there'), modules: [] };
    await expect(executor.describe(graph, entriesOf(['a.ts']), never)).rejects.toThrow('could not be started');
  });
});
