import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CodeHost } from '../contracts/code-host.ts';
import { createProjectSource } from './create-project-source.ts';
import { evaluatingHost } from './fixtures/evaluating-host.ts';
import { writeProject } from './fixtures/write-project.ts';

const signal = new AbortController().signal;
const tool = (description: string) => `export default { description: ${JSON.stringify(description)}, execute() {} };`;

function open(root: string, host: CodeHost = evaluatingHost()) {
  return createProjectSource({ id: 'project', root, hosts: { inline: host, process: host }, version: '1.0.0' });
}

describe('createProjectSource', () => {
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
    const { declarations, problems } = await open(root).load({ signal });
    expect(problems).toEqual([]);
    expect(declarations.map((one) => one.name)).toEqual(['B', '__proto__', 'a', 'b', 'c', 'constructor', 'd', 'e']);
    expect(declarations.map((one) => one.fields.description)).toEqual(['B', 'p', 'a', 'b', 'c', 'k', 'd', 'e']);
    expect(declarations[0]).toMatchObject({
      kind: 'tool',
      owner: { plugin: [] },
      via: 'folder',
      file: 'tools/B/index.mjs',
      ownValidator: false,
      code: { kind: 'module', reference: { entry: 'tools/B/index.mjs' } },
    });
  });

  it('has only sound entries evaluated, tells faults of all steps, and knows what is there all the same', async () => {
    const root = await writeProject({
      'tools/broken/index.ts': 'export default {',
      'tools/importer/index.ts': `import '../../broken.ts'; ${tool('importer')}`,
      'tools/throws/index.ts': 'throw new Error("at load")',
      'tools/fine/index.ts': tool('fine'),
      'broken.ts': 'let a; let a;',
    });
    const host = evaluatingHost();
    const { declarations, problems, faulty } = await open(root, host).load({ signal });
    expect(host.asked.toSorted()).toEqual(['tools/fine/index.ts', 'tools/throws/index.ts']);
    expect(declarations.map((one) => one.name)).toEqual(['fine']);
    expect(faulty?.map((one) => one.name)).toEqual(['broken', 'importer', 'throws']);
    expect(problems.map(({ code, file }) => [code, file])).toEqual([
      ['SYNTAX_ERROR', 'broken.ts:1:12'],
      ['SYNTAX_ERROR', 'tools/broken/index.ts:1:17'],
      ['LOAD_ERROR', 'tools/throws/index.ts'],
    ]);
  });

  it('lets two names share one file through a link, and follows none out of the project', async () => {
    const outside = await writeProject({ 'index.ts': tool('outside') });
    const root = await writeProject({ 'tools/one/index.ts': tool('shared') });
    await symlink('one', join(root, 'tools/two'));
    await symlink(outside, join(root, 'tools/away'));
    const host = evaluatingHost();
    const { declarations, problems } = await open(root, host).load({ signal });
    expect(host.asked).toEqual(['tools/one/index.ts']);
    expect(declarations.map(({ name, file }) => [name, file])).toEqual([
      ['one', 'tools/one/index.ts'],
      ['two', 'tools/two/index.ts'],
    ]);
    expect(declarations[0]?.codeDigest).toBe(declarations[1]?.codeDigest);
    expect(problems).toMatchObject([{ code: 'LINK_LEAVES_ROOT', file: 'tools/away', fatal: true }]);
  });

  it('does not take silence or strangers for an answer', async () => {
    const root = await writeProject({ 'tools/a/index.ts': tool('a') });
    const stranger = { entry: 'tools/evil/index.ts', declaration: { fields: {}, ownValidator: false }, problems: [] };
    const host = { ...evaluatingHost(), describe: async () => [stranger] };
    const { declarations, problems } = await open(root, host).load({ signal });
    expect(declarations).toEqual([]);
    expect(problems).toMatchObject([{ code: 'NOT_DESCRIBED', file: 'tools/a/index.ts', fatal: true }]);
  });

  it('rejects when the code cannot be evaluated at all, and holds nothing then', async () => {
    const root = await writeProject({ 'tools/a/index.ts': tool('a') });
    const host = { ...evaluatingHost(), describe: () => Promise.reject(new Error('no process')) };
    await expect(open(root, host).load({ signal })).rejects.toThrow('no process');
    expect(host.retained).toEqual([]);
  });

  it('asks again only for what changed, and for what was faulty', async () => {
    const root = await writeProject({
      'tools/a/index.ts': `import { text } from '../../shared.ts'; export default { description: text, execute() {} };`,
      'tools/b/index.ts': tool('b'),
      'tools/c/index.ts': 'throw new Error("at load")',
      'shared.ts': `export const text = 'one';`,
    });
    const host = evaluatingHost();
    const source = open(root, host);
    const first = await source.load({ signal });
    host.asked.length = 0;
    await writeFile(join(root, 'shared.ts'), `export const text = 'two';`);
    const second = await source.load({ signal, previous: first });
    expect(host.asked).toEqual(['tools/a/index.ts', 'tools/c/index.ts']);
    expect(second.declarations.map(({ fields }) => fields.description)).toEqual(['two', 'b']);
    const fieldsOf = (snapshot: typeof first) => snapshot.declarations.find(({ name }) => name === 'b')?.fields;
    expect(fieldsOf(second)).toBe(fieldsOf(first));
  });

  it('holds the code of each snapshot until that is disposed of', async () => {
    const root = await writeProject({ 'tools/a/index.ts': tool('a') });
    const host = evaluatingHost();
    const source = open(root, host);
    const first = await source.load({ signal });
    await writeFile(join(root, 'tools/a/index.ts'), tool('b'));
    const second = await source.load({ signal, previous: first });
    expect(new Set(host.retained).size).toBe(2);
    await Promise.all([first.dispose?.(), first.dispose?.()]);
    expect(new Set(host.retained).size).toBe(1);
    await second.dispose?.();
    expect(host.retained).toEqual([]);
  });

  it('says what changes, of what a load looks at and of nothing else', async () => {
    const root = await writeProject({ 'tools/a/index.ts': tool('a'), 'notes.txt': '' });
    const source = open(root);
    await source.load({ signal });
    const seen: string[] = [];
    let wake = () => {};
    const stop = await source.watch?.({
      changed: (path) => {
        seen.push(path.slice(root.length + 1));
        wake();
      },
      restartNeeded: (path) => {
        seen.push(`restart ${path.slice(root.length + 1)}`);
        wake();
      },
      failed: (reason) => {
        throw new Error(reason);
      },
    });
    const until = async (wanted: string) => {
      while (!seen.includes(wanted)) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    };
    await writeFile(join(root, 'notes.txt'), 'a tool writes here');
    await mkdir(join(root, 'output'));
    await writeFile(join(root, 'output/data.csv'), '1,2');
    await writeFile(join(root, 'package-lock.json'), '{}');
    await until('restart package-lock.json');
    await writeFile(join(root, 'tools/a/index.ts'), tool('b'));
    await until('tools/a/index.ts');
    await mkdir(join(root, 'skills/s'), { recursive: true });
    await writeFile(join(root, 'skills/s/SKILL.md'), '---\nname: s\n---\n');
    await until('skills');
    await rename(join(root, 'tools/a'), join(root, 'tools/z'));
    await until('tools/z');
    await rm(join(root, 'tools'), { recursive: true });
    await until('tools');
    await rename(root, `${root}-away`);
    await rename(`${root}-away`, root);
    await until('');
    await mkdir(join(root, 'tools/again'), { recursive: true });
    await writeFile(join(root, 'tools/again/index.ts'), tool('again'));
    await until('tools/again');
    await stop?.();
    expect(seen.filter((path) => /notes|output/.test(path))).toEqual([]);
  });
});
