import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CodeDescriber } from '../contracts/capability-source.ts';
import { createFolderSource } from './create-folder-source.ts';
import { evaluatingDescriber } from './fixtures/evaluating-describer.ts';
import { writeProject } from './fixtures/write-project.ts';

const signal = new AbortController().signal;
const tool = (description: string) => `export default { description: ${JSON.stringify(description)}, execute() {} };`;

function loadFrom(root: string, describer: CodeDescriber = evaluatingDescriber()) {
  return createFolderSource({ id: 'project', root, provenance: 'project', describer }).load(signal);
}

describe('createFolderSource', () => {
  it('finds a tool in each folder, by name, whatever the kind of its index', async () => {
    const root = await writeProject({
      'tools/e/index.ts': tool('e'),
      'tools/d/index.mts': tool('d'),
      'tools/c/index.cts': tool('c'),
      'tools/b/index.js': tool('b'),
      'tools/B/index.mjs': tool('B'),
      'tools/a/index.cjs': 'module.exports = { default: { description: "a", execute() {} } };',
      'tools/__proto__/index.ts': tool('p'),
      'tools/constructor/index.ts': tool('k'),
      'tools/.cache/index.ts': 'not code',
      'tools/README.md': '# tools',
      'tools/types.d.ts': 'export type A = 1;',
      'tools/e/notes.txt': '',
    });
    const { declarations, problems, graph } = await loadFrom(root);
    expect(problems).toEqual([]);
    expect(declarations.map((one) => one.name)).toEqual(['B', '__proto__', 'a', 'b', 'c', 'constructor', 'd', 'e']);
    expect(declarations.map((one) => one.fields.description)).toEqual(['B', 'p', 'a', 'b', 'c', 'k', 'd', 'e']);
    expect(declarations[0]).toMatchObject({
      file: 'tools/B/index.mjs',
      ownValidator: false,
      code: { kind: 'module', reference: { graph: graph?.digest, entry: 'tools/B/index.mjs' } },
    });
  });

  it('is empty without a folder for tools, and says that a project does not exist', async () => {
    const root = await writeProject({ 'README.md': '' });
    expect(await loadFrom(root)).toEqual({ declarations: [], problems: [] });
    const gone = join(root, 'gone');
    expect((await loadFrom(gone)).problems).toMatchObject([{ code: 'ROOT_MISSING', file: gone, fatal: true }]);
    expect((await loadFrom(join(root, 'README.md'))).problems).toMatchObject([
      { code: 'UNREADABLE_FILE', fatal: true },
    ]);
    await writeFile(join(root, 'tools'), '');
    expect((await loadFrom(root)).problems).toMatchObject([{ code: 'UNREADABLE_FILE', file: 'tools', fatal: true }]);
  });

  it('says that the folder of tools cannot be read', async () => {
    const root = await writeProject({ 'tools/a/index.ts': tool('a') });
    await chmod(root, 0o755);
    await chmod(join(root, 'tools'), 0o000);
    // Root reads everything: for as long as the folder is read, be nobody.
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    try {
      const { problems } = await loadFrom(root);
      expect(problems).toMatchObject([{ code: 'UNREADABLE_FILE', file: 'tools', found: 'EACCES', fatal: true }]);
    } finally {
      if (isRoot) process.seteuid?.(0);
      await chmod(join(root, 'tools'), 0o755);
    }
  });

  it('reports everything in tools/ that is no tool', async () => {
    const root = await writeProject({
      'tools/a/main.ts': tool('a'),
      'tools/b/index.ts': tool('b'),
      'tools/b/index.js': tool('b'),
      'tools/c.ts': tool('c'),
      'tools/d/index.ts/file': '',
      'tools/天气/readme.md': '',
      'tools/fine/index.ts': tool('fine'),
    });
    await mkdir(join(root, 'tools/empty'));
    await symlink('nowhere', join(root, 'tools/broken'));
    const { declarations, problems } = await loadFrom(root);
    expect(declarations.map((one) => one.name)).toEqual(['fine']);
    expect(problems.map(({ code, file, found }) => [code, file, found])).toEqual([
      ['MISSING_INDEX', 'tools/a', '"main.ts"'],
      ['AMBIGUOUS_INDEX', 'tools/b', 'index.ts, index.js'],
      ['UNREADABLE_FILE', 'tools/broken', 'ENOENT'],
      ['MISPLACED_FILE', 'tools/c.ts', 'tools/c.ts'],
      ['UNREADABLE_FILE', 'tools/d/index.ts', 'EISDIR'],
      ['MISSING_INDEX', 'tools/empty', '[]'],
      ['INVALID_NAME', 'tools/天气', '"天气"'],
      ['MISSING_INDEX', 'tools/天气', '"readme.md"'],
    ]);
    expect(problems.every((problem) => problem.fatal && problem.expected !== '')).toBe(true);
    expect(problems[3]).toMatchObject({ expected: 'tools/c/index.ts', hint: { values: { folder: 'tools/c' } } });
  });

  it('has only sound entries evaluated, and reports faults of loading beside those of compiling', async () => {
    const root = await writeProject({
      'tools/broken/index.ts': 'export default {',
      'tools/importer/index.ts': `import '../../broken.ts'; ${tool('importer')}`,
      'tools/load_skill/index.ts': 'export default = 1',
      'tools/throws/index.ts': 'throw new Error("at load")',
      'tools/fine/index.ts': tool('fine'),
      'broken.ts': 'let a; let a;',
    });
    const describer = evaluatingDescriber();
    const { declarations, problems } = await loadFrom(root, describer);
    expect(describer.asked).toEqual(['tools/fine/index.ts', 'tools/throws/index.ts']);
    expect(declarations.map((one) => one.name)).toEqual(['fine']);
    expect(problems.map(({ code, file }) => [code, file])).toEqual([
      ['SYNTAX_ERROR', 'broken.ts:1:12'],
      ['SYNTAX_ERROR', 'tools/broken/index.ts:1:17'],
      ['SYNTAX_ERROR', 'tools/load_skill/index.ts:1:16'],
      ['RESERVED_NAME', 'tools/load_skill/index.ts'],
      ['LOAD_ERROR', 'tools/throws/index.ts'],
    ]);
  });

  it('lets two names share one file through a link', async () => {
    const root = await writeProject({ 'tools/one/index.ts': tool('shared') });
    await symlink('one', join(root, 'tools/two'));
    const describer = evaluatingDescriber();
    const { declarations, problems } = await loadFrom(root, describer);
    expect(describer.asked).toEqual(['tools/one/index.ts']);
    expect(problems).toEqual([]);
    expect(declarations.map(({ name, file }) => [name, file])).toEqual([
      ['one', 'tools/one/index.ts'],
      ['two', 'tools/two/index.ts'],
    ]);
    expect(declarations[0]?.codeDigest).toBe(declarations[1]?.codeDigest);
  });

  it('does not follow a tool out of the project', async () => {
    const outside = await writeProject({ 'index.ts': tool('outside') });
    const root = await writeProject({ 'tools/fine/index.ts': tool('fine') });
    await symlink(outside, join(root, 'tools/away'));
    const { declarations, problems } = await loadFrom(root);
    expect(declarations.map((one) => one.name)).toEqual(['fine']);
    expect(problems).toMatchObject([{ code: 'IMPORT_LEAVES_ROOT', file: 'tools/away/index.ts' }]);
  });

  it('does not take silence or strangers for an answer', async () => {
    const root = await writeProject({ 'tools/a/index.ts': tool('a') });
    const stranger = { entry: 'tools/evil/index.ts', declaration: { fields: {}, ownValidator: false }, problems: [] };
    const { declarations, problems } = await loadFrom(root, { describe: async () => [stranger] });
    expect(declarations).toEqual([]);
    expect(problems).toMatchObject([{ code: 'NOT_DESCRIBED', file: 'tools/a/index.ts', fatal: true }]);
  });

  it('rejects when the code cannot be evaluated at all', async () => {
    const root = await writeProject({ 'tools/a/index.ts': tool('a') });
    const describe = () => Promise.reject(new Error('no process'));
    await expect(loadFrom(root, { describe })).rejects.toThrow('no process');
  });
});
