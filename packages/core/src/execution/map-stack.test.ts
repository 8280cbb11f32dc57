import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileGraph } from './fixtures/compile-graph.ts';
import { createStackMapper, type StackMapper } from './map-stack.ts';
import { createModuleEvaluator } from './module-evaluator.ts';

const TOOL = `import { fail } from '../lib/fail.ts';

interface Long {
  readonly text: string;
}

export function run(input: Long): never {
  return fail(input.text);
}
`;

const FAIL = `export type Unused = { a: 1 };
export const fail = (text: string): never => {
  const unused: string = text;
  throw new Error(unused, { cause: new TypeError('below') });
};
export const inPackage = (call: (f: () => void) => void) => call(() => fail('called back'));
`;

describe('createStackMapper', () => {
  let root: string;
  let stacks: StackMapper;
  let thrown: (how: (run: (input: { text: string }) => never) => void) => unknown;

  beforeAll(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'baigong-')));
    const graph = await compileGraph(root, { 'tools/run.ts': TOOL, 'lib/fail.ts': FAIL });
    stacks = createStackMapper(graph);
    const { run } = (await createModuleEvaluator(graph, new Map()).load('tools/run.ts')) as {
      run: (input: { text: string }) => never;
    };
    thrown = (how) => {
      try {
        how(run);
      } catch (error) {
        return error;
      }
      throw new Error('nothing was thrown');
    };
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  it('points at the author’s lines, names files below the root, and leaves the framework out', () => {
    const error = thrown((run) => run({ text: 'two\nlines' }));
    expect(stacks.positionOf(error)).toEqual({ path: 'lib/fail.ts', line: 4, column: 9 });
    expect(stacks.stackOf(error)?.split('\n').slice(0, 4)).toEqual([
      'Error: two',
      'lines',
      expect.stringMatching(/^ {4}at .*lib\/fail\.ts:4:9\)?$/),
      expect.stringMatching(/^ {4}at .*tools\/run\.ts:8:10\)?$/),
    ]);
    expect(stacks.stackOf(error)).not.toContain(root);
    expect(stacks.stackOf(error)).not.toContain('(node:');
    expect(stacks.stackOf(error)).not.toContain('execution/map-stack.test.ts');
  });

  it('tells the cause', () => {
    const stack = stacks.stackOf(thrown((run) => run({ text: 'x' })));
    expect(stack).toMatch(/\nCaused by: TypeError: below\n {4}at .*lib\/fail\.ts:4:/);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a text', 'x'],
    ['a stack that is no text', Object.assign(new Error('x'), { stack: [1] })],
    [
      'a stack that throws',
      {
        get stack() {
          throw new Error('no');
        },
      },
    ],
  ])('has nothing to say of %s', (_name, value) => {
    expect(stacks.stackOf(value)).toBeUndefined();
    expect(stacks.positionOf(value)).toBeUndefined();
  });

  it('survives causes in a circle', () => {
    const error = new Error('round');
    error.cause = error;
    expect(stacks.stackOf(error)?.match(/round/g)?.length).toBe(4);
  });

  it('leaves places alone that no map knows', () => {
    const bare = createStackMapper({
      root,
      modules: [
        { path: 'a.ts', digest: 'sha256:0', format: 'esm', code: '', sourceMap: 'no map', imports: {}, packages: [] },
      ],
    });
    expect(bare.map('a.ts', 3, 7)).toEqual({ path: 'a.ts', line: 3, column: 7 });
    expect(bare.map('other.ts', 3, 7)).toEqual({ path: 'other.ts', line: 3, column: 7 });
  });
});
