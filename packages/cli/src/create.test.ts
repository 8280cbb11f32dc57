import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createProject, type TemporaryProject } from '@baigong/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from './fixtures/run-cli.ts';

const run = promisify(execFile);
const repository = join(import.meta.dirname, '../../..');
let project: TemporaryProject;

beforeAll(async () => {
  project = await createProject({ 'package.json': '{ "type": "module" }' });
  // What `npm install baigong zod` would put there.
  await mkdir(join(project.root, 'node_modules'));
  await symlink(join(repository, 'packages/core'), join(project.root, 'node_modules/baigong'));
  await symlink(join(repository, 'node_modules/zod'), join(project.root, 'node_modules/zod'));
  await symlink(join(repository, 'node_modules/@types'), join(project.root, 'node_modules/@types'));
});
afterAll(() => project.remove());

const create = (...words: string[]) => runCli(['--project', project.root, 'create', ...words]);

describe('baigong create', () => {
  it('writes a tool and a plugin whose own tests pass, in both languages', async () => {
    const tool = await create('tool', 'lookup');
    expect(tool.code).toBe(0);
    expect(tool.stdout).toBe('+ tools/lookup/index.ts\n+ tools/lookup/index.test.ts\n');
    const plugin = await create('plugin', 'demo', '--lang', 'zh');
    expect(plugin.code).toBe(0);
    expect(plugin.stderr).toContain('node --test plugins/demo/plugin.test.ts');
    const written = [...tool.stdout.matchAll(/^\+ (.*)$/gm), ...plugin.stdout.matchAll(/^\+ (.*)$/gm)].map(
      ([, file = '']) => file,
    );
    const tests = written.filter((file) => file.endsWith('.test.ts'));
    expect(tests).toHaveLength(3);

    const flags = ['--conditions=baigong-source', '--test', '--test-reporter=tap'];
    const { stdout } = await run(process.execPath, [...flags, ...tests], { cwd: project.root });
    expect(stdout).toMatch(/^# fail 0$/m);
    // Good call, bounds, failing and refusing service, time, size: twice, and three of the plugin itself.
    expect(stdout).toMatch(/^# pass 23$/m);

    await writeFile(
      join(project.root, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          module: 'nodenext',
          target: 'esnext',
          strict: true,
          noUncheckedIndexedAccess: true,
          noEmit: true,
          allowImportingTsExtensions: true,
          customConditions: ['baigong-source'],
          types: ['node'],
          skipLibCheck: true,
        },
        files: written.filter((file) => file.endsWith('.ts')),
      }),
    );
    const tsc = join(repository, 'node_modules/.bin/tsc');
    await expect(run(tsc, ['-p', project.root])).resolves.toMatchObject({ stdout: '' });
  });

  it('gives tools that can be listed and called at once', async () => {
    const { stdout, code } = await runCli(['--project', project.root, 'tools', 'list', '--output', 'json']);
    expect(code).toBe(0);
    const tools = JSON.parse(stdout) as { name: string; tokens: number; isolation: string; generation: number }[];
    expect(tools.filter(({ name }) => name !== 'ask_user')).toMatchObject([
      {
        name: 'demo__count',
        isolation: 'inline',
        generation: 1,
        source: { via: 'setup', file: 'plugins/demo/plugin.ts' },
      },
      { name: 'demo__find', isolation: 'process', owner: { plugin: ['demo'] }, source: { via: 'folder' } },
      { name: 'lookup', isolation: 'process', source: { id: 'project', provenance: 'project' } },
    ]);
    expect(tools.every(({ tokens }) => tokens > 10 && tokens < 1_000)).toBe(true);
    const called = await runCli(['--project', project.root, 'tools', 'call', 'demo__count', '{}', '--output', 'json']);
    expect(JSON.parse(called.stdout)).toMatchObject({ status: 'success', result: { count: 1 } });
    const shown = await runCli(['--project', project.root, 'tools', 'show', 'demo__count', '--lang', 'zh']);
    expect(shown.stdout).toMatch(/插件： demo\n/);
    expect(shown.stdout).toMatch(/来源： project, project, setup\n/);
    expect(shown.stdout).toMatch(/在宿主进程内运行/);
  });

  it('never overwrites, and refuses names that no tool can bear', async () => {
    const before = await readFile(join(project.root, 'tools/lookup/index.ts'), 'utf8');
    const again = await create('tool', 'lookup');
    expect([again.code, again.stdout]).toEqual([2, '']);
    expect(again.stderr).toContain('exists already');
    expect(await readFile(join(project.root, 'tools/lookup/index.ts'), 'utf8')).toBe(before);
    for (const name of ['天气', '../up', '', 'a b', 'x'.repeat(65)]) {
      const refused = await create('tool', name);
      expect([refused.code, refused.stdout]).toEqual([2, '']);
    }
    const nowhere = await runCli(['--project', join(project.root, 'none'), 'create', 'tool', 'x']);
    expect([nowhere.code, nowhere.stdout]).toEqual([2, '']);
  });
});
