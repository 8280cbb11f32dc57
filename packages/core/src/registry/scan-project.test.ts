import { chmod, mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { placeOf } from './capability-key.ts';
import { agentFiles, expectReadable, scanFolder, skillText } from './fixtures/scan-folder.ts';
import { writeProject } from './fixtures/write-project.ts';
import type { ProjectScan } from './project-scan.ts';

function scanWith(root: string, configured: Record<string, unknown>): Promise<ProjectScan> {
  return scanFolder(root, { configured: new Map(Object.entries(configured)), configFile: 'baigong.config.json' });
}

const places = (result: ProjectScan) =>
  result.plugins.flatMap((plugin) => plugin.found.map(({ kind, owner, name }) => placeOf(kind, owner, name)));
const told = (result: ProjectScan) => result.problems.map(({ code, file, fatal }) => [code, file, fatal]);

const RECOMMENDED = {
  'AGENTS.md': '# Rules\n',
  'tools/short-url/index.ts': 'export default 1',
  'tools/short-url/client.ts': '',
  'skills/short-url/SKILL.md': skillText('short-url'),
  'skills/short-url/tools/normalize/index.ts': '',
  'skills/short-url/hooks/audit/index.ts': '',
  'hooks/audit/index.ts': '',
  ...agentFiles('reviewer'),
  'agents/reviewer/workflows/review.md': '',
  'agents/reviewer/tools/check-result/index.ts': '',
  'agents/reviewer/skills/review/SKILL.md': skillText('review'),
  'agents/reviewer/skills/review/tools/check-result/index.ts': '',
  'agents/reviewer/skills/review/hooks/audit/index.ts': '',
  'agents/reviewer/hooks/audit/index.ts': '',
  'agents/reviewer/knowledge/a.md': '',
};

describe('scanProject', () => {
  it('finds all of the recommended tree', async () => {
    const root = await realpath(await writeProject(RECOMMENDED));
    const result = await scanFolder(root);
    expect(result.problems).toEqual([]);
    expect(places(result)).toEqual([
      'tools/short-url',
      'hooks/audit',
      'skills/short-url',
      'skills/short-url/tools/normalize',
      'skills/short-url/hooks/audit',
      'agents/reviewer',
      'agents/reviewer/tools/check-result',
      'agents/reviewer/hooks/audit',
      'agents/reviewer/skills/review',
      'agents/reviewer/skills/review/tools/check-result',
      'agents/reviewer/skills/review/hooks/audit',
    ]);
    const [plugin] = result.plugins;
    expect(plugin).toMatchObject({ path: [], name: '', root, folder: '', rules: '# Rules\n' });
    expect(plugin?.found[0]).toEqual({
      kind: 'tool',
      name: 'short-url',
      owner: { plugin: [] },
      folder: 'tools/short-url',
      file: 'tools/short-url/index.ts',
      entry: 'tools/short-url/index.ts',
    });
    expect(plugin?.found[2]).toMatchObject({
      file: 'skills/short-url/SKILL.md',
      fields: { name: 'short-url', description: 'Does it.' },
      texts: { body: 'Steps of short-url\n' },
    });
    expect(plugin?.found[5]).toMatchObject({
      file: 'agents/reviewer/agent.json',
      fields: { name: 'reviewer' },
      texts: { system: 'Role', boundaries: 'Never', conventions: 'Always' },
    });
    for (const folder of ['', 'tools', 'tools/short-url', 'agents/reviewer/skills/review/hooks/audit']) {
      expect(result.folders).toContain(join(root, folder));
    }
  });

  it.each([
    [{}, []],
    [{ 'src/tool.ts': '', 'docs/a.md': '', 'books/a/readme.md': '', 'tool/readme.md': '' }, []],
    [{ 'tools/.cache/index.ts': '', 'tools/node_modules/a/b.ts': '', 'tools/README.md': '', 'tools/a.d.ts': '' }, []],
    [{ 'tools/__proto__/index.ts': '', 'tools/constructor/index.mjs': '' }, ['tools/__proto__', 'tools/constructor']],
    [{ 'skills/README.md': '', 'skills/a/SKILL.md': skillText('a'), 'skills/a/scripts/x.py': '' }, ['skills/a']],
    [{ 'prompt-sections/p/index.cts': '' }, ['prompt-sections/p']],
    [{ 'plugins/README.md': '', 'plugins/docs/a/b.md': '' }, []],
    [{ 'plugins/utils/lottery/plugin.ts': '', 'plugins/utils/shared/http.ts': '' }, []],
    [{ 'plugins/maps/tools/t/index.ts': '' }, ['plugins/maps/tools/t']],
    [{ 'plugins/a/plugin.js': '', 'plugins/a/plugins/b/hooks/h/index.ts': '' }, ['plugins/a/plugins/b/hooks/h']],
  ] as [Record<string, string>, string[]][])('has nothing against %j', async (files, expected) => {
    const result = await scanFolder(await writeProject(files));
    expect(result.problems).toEqual([]);
    expect(places(result)).toEqual(expected);
  });

  it('says that a project does not exist, or is no folder', async () => {
    const root = await writeProject({ file: '' });
    expect((await scanFolder(join(root, 'gone'))).problems).toMatchObject([
      { code: 'ROOT_MISSING', file: join(root, 'gone') },
    ]);
    expect((await scanFolder(join(root, 'file'))).problems).toMatchObject([
      { code: 'UNREADABLE_FILE', found: 'ENOTDIR' },
    ]);
  });

  it('says that a folder cannot be read, and reads the others', async () => {
    const root = await writeProject({ 'tools/a/index.ts': '', 'hooks/h/index.ts': '' });
    await chmod(root, 0o755);
    await chmod(join(root, 'tools'), 0o000);
    // Root reads everything: for as long as the folder is read, be nobody.
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    try {
      const result = await scanFolder(root);
      expect(result.problems).toMatchObject([{ code: 'UNREADABLE_FILE', file: 'tools', found: 'EACCES', fatal: true }]);
      expect(places(result)).toEqual(['hooks/h']);
    } finally {
      if (isRoot) process.seteuid?.(0);
      await chmod(join(root, 'tools'), 0o755);
    }
  });

  it('names each missing file of an agent', async () => {
    const result = await scanFolder(
      await writeProject({ 'agents/qq/skills/a/SKILL.md': skillText('a'), 'agents/qq/agent.jsonc': '{}' }),
    );
    expect(told(result)).toEqual(
      ['agent.json', 'boundaries.md', 'conventions.md', 'system.md'].map((name) => [
        'MISSING_FILE',
        `agents/qq/${name}`,
        true,
      ]),
    );
    expect(result.problems[0]).toMatchObject({ found: 'agent.jsonc' });
    expect(places(result)).toEqual(['agents/qq', 'agents/qq/skills/a']);
    expectReadable(result);
  });

  it('tells of many faults at once, in one order', async () => {
    const root = await writeProject({
      ...agentFiles('blank'),
      'agents/blank/system.md': '',
      'agents/blank/agent.json': '{,}',
      'agents/empty/readme.md': '',
      'hooks/h.ts': '',
      'package.json':
        '{"baigong":{"features":[{"package":"baigong","api":"latest"},{"package":"zhin.js","api":"^3"}]}}',
      'plugins/bad name/plugin.ts': '',
      'plugins/code/a.ts': '',
      'plugins/one/a/plugin.ts': '',
      'plugins/two/a/plugin.ts': '',
      'prompt-sections/p/text.md': '',
      'skills/a/readme.md': '',
      'skills/b/SKILL.md': '---\nname: b\n---\n',
      'skills/c/SKILL.md': 'no front matter',
      'skills/d/SKILL.md': '---\n[\n---\n',
      'tool/t/index.ts': '',
      'tools/a/index.ts': '',
      'tools/a/index.js': '',
      'tools/b.ts': '',
    });
    await symlink('nowhere', join(root, 'tools/broken'));
    const result = await scanFolder(root, { configured: new Map([['plugni', {}]]), configFile: 'baigong.config.ts' });
    expect(told(result)).toEqual([
      ['INVALID_AGENT_FILE', 'agents/blank/agent.json:1:2', true],
      ['EMPTY_FILE', 'agents/blank/system.md', true],
      ['MISSING_FILE', 'agents/empty/agent.json', true],
      ['MISSING_FILE', 'agents/empty/boundaries.md', true],
      ['MISSING_FILE', 'agents/empty/conventions.md', true],
      ['MISSING_FILE', 'agents/empty/system.md', true],
      ['UNKNOWN_PLUGIN', 'baigong.config.ts', true],
      ['MISPLACED_FILE', 'hooks/h.ts', true],
      ['INVALID_FEATURE', 'package.json', true],
      ['UNMET_FEATURE', 'package.json', true],
      ['INVALID_NAME', 'plugins/bad name', true],
      ['NO_PLUGIN', 'plugins/code', true],
      ['DUPLICATE_PLUGIN', 'plugins/one/a', true],
      ['MISSING_INDEX', 'prompt-sections/p', true],
      ['MISSING_FILE', 'skills/a', true],
      ['MISSING_FIELD', 'skills/b/SKILL.md', true],
      ['MISSING_FRONT_MATTER', 'skills/c/SKILL.md:1', true],
      ['INVALID_FRONT_MATTER', expect.stringMatching(/^skills\/d\/SKILL\.md:\d+:\d+$/), true],
      ['MISNAMED_FOLDER', 'tool', true],
      ['AMBIGUOUS_INDEX', 'tools/a', true],
      ['MISPLACED_FILE', 'tools/b.ts', true],
      ['UNREADABLE_FILE', 'tools/broken', true],
    ]);
    expectReadable(result);
    expect(
      (await scanFolder(root, { configured: new Map([['plugni', {}]]), configFile: 'baigong.config.ts' })).problems,
    ).toEqual(result.problems);
  });

  it('names plugins by their folders, without those that only group', async () => {
    const root = await realpath(
      await writeProject({
        'plugins/utils/lottery/plugin.ts': '',
        'plugins/utils/lottery/AGENTS.md': 'Fair',
        'plugins/maps/package.json': '{}',
        'plugins/maps/plugins/geo/tools/find/index.ts': '',
        'plugin.mts': '',
      }),
    );
    const { plugins, problems } = await scanFolder(root);
    expect(problems).toEqual([]);
    expect(plugins.map(({ found: _, ...plugin }) => plugin)).toEqual([
      { path: [], name: '', root, folder: '', entry: 'plugin.mts' },
      {
        path: ['lottery'],
        name: 'lottery',
        root,
        folder: 'plugins/utils/lottery',
        entry: 'plugins/utils/lottery/plugin.ts',
        rules: 'Fair',
      },
      { path: ['maps'], name: 'maps', root, folder: 'plugins/maps' },
      { path: ['maps', 'geo'], name: 'maps__geo', root, folder: 'plugins/maps/plugins/geo' },
    ]);
  });

  it('ends where links run in circles, and enters no folder twice', async () => {
    const root = await writeProject({ 'plugins/a/plugin.ts': '', 'plugins/g/b/plugin.ts': '' });
    await symlink('../..', join(root, 'plugins/a/plugins'));
    await symlink('..', join(root, 'plugins/g/up'));
    await symlink('a', join(root, 'plugins/z'));
    const result = await scanFolder(root);
    expect(told(result)).toEqual([
      ['FOLDER_TWICE', 'plugins/a/plugins', true],
      ['FOLDER_TWICE', 'plugins/g/up', true],
      ['FOLDER_TWICE', 'plugins/z', true],
    ]);
    expect(result.plugins.map(({ name }) => name)).toEqual(['', 'a', 'b']);
    expectReadable(result);
  });

  it('follows links inside the project and none out of it', async () => {
    const outside = await writeProject({
      ...agentFiles('x'),
      'SKILL.md': skillText('s'),
      'plugin.ts': '',
      'index.ts': '',
    });
    const root = await writeProject({ 'tools/one/index.ts': '', 'skills/s/notes.md': '', 'plugins/a/plugin.ts': '' });
    await symlink('one', join(root, 'tools/two'));
    await symlink(outside, join(root, 'tools/away'));
    await symlink(join(outside, 'agents'), join(root, 'agents'));
    await symlink(outside, join(root, 'plugins/away'));
    await symlink(join(outside, 'SKILL.md'), join(root, 'skills/s/SKILL.md'));
    const result = await scanFolder(root);
    expect(told(result)).toEqual(
      ['agents', 'plugins/away', 'skills/s/SKILL.md', 'tools/away'].map((file) => ['LINK_LEAVES_ROOT', file, true]),
    );
    expect(places(result)).toEqual(['tools/one', 'tools/two', 'skills/s']);
    expectReadable(result);
  });

  it('copes with names of every kind', async () => {
    const names = ['e\u0301', '\u00e9', 'a\u202eb', '\u{1f600}', 'x'.repeat(200), 'a\nb'];
    const root = await writeProject(Object.fromEntries(names.map((name) => [`tools/${name}/index.ts`, ''])));
    const result = await scanFolder(root);
    expect(result.problems.map(({ code }) => code)).toEqual(names.map(() => 'INVALID_NAME'));
    const shown = result.problems.flatMap(({ file, found, message }) => [file, found, message.values?.name]);
    expect(shown.join('')).not.toMatch(/[\u202e\n]/);
  });

  it('finds 10,000 tools, lets others run meanwhile, and stops when told to', async () => {
    const root = await writeProject({});
    await mkdir(join(root, 'tools'));
    await Promise.all(
      Array.from({ length: 10_000 }, async (_, index) => {
        await mkdir(join(root, `tools/t${index}`));
        if (index % 2 === 0) await writeFile(join(root, `tools/t${index}/index.ts`), '');
      }),
    );
    let ticks = 0;
    const ticker = setInterval(() => ticks++, 0);
    const result = await scanFolder(root);
    clearInterval(ticker);
    expect(result.plugins[0]?.found).toHaveLength(5_000);
    expect(result.problems).toHaveLength(5_000);
    expect(ticks).toBeGreaterThan(1);

    const controller = new AbortController();
    const stopped = scanFolder(root, { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(stopped).rejects.toThrow('enough');
  });
});

describe('scanProject with packages', () => {
  const MAPS = {
    'node_modules/baigong-plugin-maps/package.json': '{"baigong":{"features":[{"package":"baigong","api":"^0.1.0"}]}}',
    'node_modules/baigong-plugin-maps/tools/find/index.js': '',
    'node_modules/baigong-plugin-maps/plugins/geo/plugin.js': '',
  };

  it('loads those that are named, with what is nested in them', async () => {
    const root = await realpath(await writeProject(MAPS));
    const { plugins, problems } = await scanWith(root, { 'baigong-plugin-maps': {}, maps: {}, maps__geo: { key: 1 } });
    expect(problems).toEqual([]);
    const real = join(root, 'node_modules/baigong-plugin-maps');
    expect(plugins.slice(1)).toEqual([
      {
        path: ['maps'],
        name: 'maps',
        root: real,
        folder: '',
        package: 'baigong-plugin-maps',
        found: [
          {
            kind: 'tool',
            name: 'find',
            owner: { plugin: ['maps'] },
            folder: 'tools/find',
            file: 'tools/find/index.js',
            entry: 'tools/find/index.js',
          },
        ],
      },
      {
        path: ['maps', 'geo'],
        name: 'maps__geo',
        root: real,
        folder: 'plugins/geo',
        package: 'baigong-plugin-maps',
        entry: 'plugins/geo/plugin.js',
        found: [],
      },
    ]);
    expect((await scanWith(root, {})).plugins.map(({ name }) => name)).toEqual(['']);
  });

  it.each<[Record<string, unknown>, string[]]>([
    [{ 'baigong-plugin-maps': false }, ['', 'a', 'a__b', 'c']],
    [{ 'baigong-plugin-maps': {}, maps: false, maps__geo: {} }, ['', 'a', 'a__b', 'c']],
    [{ 'baigong-plugin-maps': {}, maps__geo: false }, ['', 'a', 'a__b', 'c', 'maps']],
    [{ a: false, a__b: {} }, ['', 'c']],
    [{ a: {}, a__b: false, c: null }, ['', 'a', 'c']],
  ])('leaves out what is switched off: %j', async (configured, names) => {
    const root = await writeProject({
      ...MAPS,
      'plugins/a/plugin.ts': '',
      'plugins/a/plugins/b/plugin.ts': '',
      'plugins/c/plugin.ts': '',
    });
    const result = await scanWith(root, configured);
    expect(result.plugins.map(({ name }) => name)).toEqual(names);
    expect(result.problems).toEqual([]);
  });

  it('does not look into what is switched off', async () => {
    const root = await writeProject({ 'plugins/a/plugin.ts': '', 'plugins/a/tools/x/readme.md': '' });
    expect((await scanWith(root, { a: false })).problems).toEqual([]);
    expect((await scanWith(root, { a: {} })).problems).toHaveLength(1);
  });

  it.each<[string, object]>([
    ['mpas', { expected: '"maps"', hint: { key: 'scan.unknown-plugin-near-hint' } }],
    ['baigong-plugin-mapz', { expected: '"baigong-plugin-maps"' }],
    ['zzzzzzzz', { hint: { key: 'scan.unknown-plugin-hint', values: { name: 'zzzzzzzz' } } }],
    ['a/b/c/d/e', { hint: { key: 'scan.unknown-child-hint' } }],
    ['constructor', {}],
  ])('says that %s does not exist', async (name, problem) => {
    const root = await writeProject({ ...MAPS, 'plugins/maps/plugin.ts': '' });
    for (const value of [{}, false]) {
      const result = await scanWith(root, { [name]: value });
      expect(result.problems).toMatchObject([
        { code: 'UNKNOWN_PLUGIN', file: 'baigong.config.json', field: `plugins.${name}`, fatal: true, ...problem },
      ]);
      expectReadable(result);
    }
  });

  it('shows faults of a package below node_modules, and finds clashes with the project', async () => {
    const root = await writeProject({
      ...MAPS,
      'node_modules/baigong-plugin-maps/tools/bad/readme.md': '',
      'node_modules/baigong-plugin-maps/package.json': '{"zhin":{"features":1}}',
      'node_modules/nothing/package.json': '{}',
      'plugins/maps/plugin.ts': '',
      'plugins/linked/package.json': '{}',
    });
    await symlink('../plugins/linked', join(root, 'node_modules/linked-package'));
    const result = await scanWith(root, { 'baigong-plugin-maps': {}, nothing: {}, 'linked-package': {} });
    expect(told(result)).toEqual([
      ['NO_PLUGIN', 'baigong.config.json', true],
      ['INVALID_FEATURE', 'node_modules/baigong-plugin-maps/package.json', true],
      ['MISSING_INDEX', 'node_modules/baigong-plugin-maps/tools/bad', true],
      ['FOLDER_TWICE', 'node_modules/linked-package', true],
      ['DUPLICATE_PLUGIN', 'plugins/maps', true],
    ]);
    expect(result.problems[4]?.found).toBe('plugins/maps, node_modules/baigong-plugin-maps');
    expectReadable(result);
  });
});
