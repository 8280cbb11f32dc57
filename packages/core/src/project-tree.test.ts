import { startScriptedModel } from '@baigong/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fatalProblems } from './fixtures/seed/fatal-problems.ts';
import { findSeedTree } from './fixtures/seed/find-seed-tree.ts';
import { largerTree } from './fixtures/seed/larger-tree.ts';
import { type LoadedProject, loadProject } from './fixtures/seed/load-project.ts';
import { readSeedPage } from './fixtures/seed/read-seed-page.ts';
import { recommendedTree } from './fixtures/seed/recommended-tree.ts';
import { teaFields, teaFiles } from './fixtures/seed/tea-files.ts';
import { createRuntime, defineAgentTool, type Problem, type Runtime, type RuntimeOptions } from './index.ts';

const pilot = 'plugins/maps/plugins/routes/agents/pilot';
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function load(files: Readonly<Record<string, string>>, options: RuntimeOptions = {}): Promise<LoadedProject> {
  const loaded = await loadProject(files, options);
  open.push(loaded);
  return loaded;
}

/** Without what the framework adds. */
function own({ table }: Runtime) {
  return table.capabilities.filter(({ source }) => source.via !== 'framework');
}

function rows(runtime: Runtime) {
  return own(runtime).map(({ kind, name, key, owner }) => [kind, name, key, owner]);
}

describe('the tree that the page recommends', () => {
  const page = readSeedPage();
  let loaded: LoadedProject;
  beforeAll(async () => {
    loaded = await loadProject(recommendedTree);
  });
  afterAll(() => loaded?.close());

  it.skipIf(page === undefined)('is the one of our fixture (skipped with no ../shared)', () => {
    const expected = findSeedTree(page ?? '');
    const paths = Object.keys(recommendedTree).map(
      (path) => expected.find((folder) => folder.endsWith('/') && path.startsWith(folder)) ?? path,
    );
    expect(paths.sort()).toEqual([...expected].sort());
  });

  it('loads with every capability in its place', () => {
    const { runtime } = loaded;
    expect(runtime.problems.filter(({ code }) => code !== 'NO_EFFECT_YET')).toEqual([]);
    const agent = 'reviewer';
    const review = 'agents/reviewer/skills/review';
    const inReview = { plugin: [], agent, skill: 'review' };
    expect(rows(runtime)).toEqual([
      ['tool', 'review__check-result', `${review}/tools/check-result`, inReview],
      ['tool', 'reviewer__check-result', 'agents/reviewer/tools/check-result', { plugin: [], agent }],
      ['tool', 'short-url', 'short-url', { plugin: [] }],
      ['tool', 'short-url__normalize', 'skills/short-url/tools/normalize', { plugin: [], skill: 'short-url' }],
      ['skill', 'reviewer__review', review, { plugin: [], agent }],
      ['skill', 'short-url', 'short-url', { plugin: [] }],
      ['agent', 'reviewer', 'reviewer', { plugin: [] }],
      ['hook', 'reviewer__audit', 'agents/reviewer/hooks/audit', { plugin: [], agent }],
      ['hook', 'review__audit', `${review}/hooks/audit`, inReview],
      ['hook', 'audit', 'audit', { plugin: [] }],
      ['hook', 'short-url__audit', 'skills/short-url/hooks/audit', { plugin: [], skill: 'short-url' }],
    ]);
  });

  it.each([
    ['short-url', 'shortened'],
    ['short-url__normalize', 'normalized'],
    ['skills/short-url/tools/normalize', 'normalized'],
    ['reviewer__check-result', 'checked by the agent'],
    ['review__check-result', 'checked by the skill'],
  ])('runs %s from code', async (name, value) => {
    const { runtime } = loaded;
    expect(await runtime.call(name, {})).toMatchObject({ status: 'success', result: { value } });
  });
});

describe('a larger tree', () => {
  let loaded: LoadedProject;
  beforeAll(async () => {
    loaded = await loadProject(largerTree);
  });
  afterAll(() => loaded?.close());

  it('gives each capability its name, key, owner and way in', () => {
    const { runtime } = loaded;
    expect(runtime.problems.filter(({ code }) => code !== 'NO_EFFECT_YET')).toEqual([]);
    const routes = { plugin: ['maps', 'routes'] };
    const inPilot = { ...routes, agent: 'pilot' };
    expect(rows(runtime)).toEqual([
      ['tool', 'lookup', 'lookup', { plugin: [] }],
      ['tool', 'secret', 'secret', { plugin: [] }],
      ['tool', 'links__normalize', 'skills/links/tools/normalize', { plugin: [], skill: 'links' }],
      ['tool', 'notes__keep', 'skills/notes/tools/keep', { plugin: [], skill: 'notes' }],
      ['skill', 'links', 'links', { plugin: [] }],
      ['skill', 'notes', 'notes', { plugin: [] }],
      ['prompt-section', 'terms', 'terms', { plugin: [] }],
      ['hook', 'watch', 'watch', { plugin: [] }],
      ['tool', 'lottery__lottery_sync', 'lottery__lottery_sync', { plugin: ['lottery'] }],
      ['tool', 'maps__find', 'maps__find', { plugin: ['maps'] }],
      ['tool', 'links__normalize', 'plugins/maps/skills/links/tools/normalize', { plugin: ['maps'], skill: 'links' }],
      ['skill', 'maps__links', 'maps__links', { plugin: ['maps'] }],
      ['tool', 'maps__routes__find', 'maps__routes__find', routes],
      ['tool', 'maps__routes__plan', 'maps__routes__plan', routes],
      ['tool', 'landing__steer', `${pilot}/skills/landing/tools/steer`, { ...inPilot, skill: 'landing' }],
      ['tool', 'pilot__steer', `${pilot}/tools/steer`, inPilot],
      ['skill', 'pilot__landing', `${pilot}/skills/landing`, inPilot],
      ['agent', 'maps__routes__pilot', 'maps__routes__pilot', routes],
      ['hook', 'pilot__watch', `${pilot}/hooks/watch`, inPilot],
    ]);
    for (const { kind, key, source } of own(runtime)) {
      const via = key === 'lottery__lottery_sync' ? 'setup' : 'folder';
      expect({ key, source }).toMatchObject({ key, source: { via } });
      expect(runtime.table.find(kind, key)).toBeDefined();
    }
  });

  it('finds tools by name and by key, and what two bear by key only', () => {
    const { table } = loaded.runtime;
    expect(table.get('pilot__steer')).toBe(table.get(`${pilot}/tools/steer`));
    expect(table.get('pilot__steer')?.description).toBe('Steers.');
    expect(table.get('maps__routes__find')?.description).toBe('Finds routes.');
    expect(table.get('find')).toBeUndefined();
    expect(table.get('links__normalize')).toBeUndefined();
    expect(table.get('skills/links/tools/normalize')?.description).toBe('Normalizes links.');
    expect(table.get('plugins/maps/skills/links/tools/normalize')?.description).toBe('Normalizes map links.');
    // Those of other kinds are no tools.
    for (const name of ['notes', 'maps__routes__pilot', 'watch', 'terms', 'constructor', '__proto__', '']) {
      expect(table.get(name)).toBeUndefined();
    }
  });

  it.each([
    ['skill', 'links', 'tools', ['lookup', 'skills/links/tools/normalize', 'lottery__lottery_sync', 'maps__find']],
    ['skill', 'maps__links', 'tools', ['maps__find', 'plugins/maps/skills/links/tools/normalize', 'lookup']],
    ['skill', 'notes', 'tools', ['skills/notes/tools/keep']],
    ['skill', 'notes', 'dependsOn', ['links', 'lookup']],
    ['skill', `${pilot}/skills/landing`, 'tools', [`${pilot}/skills/landing/tools/steer`, 'maps__routes__plan']],
    [
      'agent',
      'maps__routes__pilot',
      'tools',
      [`${pilot}/tools/steer`, 'maps__routes__plan', 'maps__routes__find', 'lookup'],
    ],
    ['tool', 'maps__routes__plan', 'dependsOn', ['maps__routes__find', 'maps__find', 'lookup', 'maps__links']],
    ['tool', `${pilot}/tools/steer`, 'dependsOn', ['maps__routes__find']],
  ] as const)('takes the names of the %s %s in %s from the writer outward', (kind, key, field, expected) => {
    const { runtime } = loaded;
    expect(runtime.table.find(kind, key)).toMatchObject({ [field]: expected });
  });

  it('resolves names for code as it does for files', () => {
    const { table } = loaded.runtime;
    const from = (name: string, writer: string) => {
      const tool = table.get(writer);
      return tool === undefined ? 'no writer' : table.resolve(name, tool)?.key;
    };
    expect(from('steer', `${pilot}/skills/landing/tools/steer`)).toBe(`${pilot}/skills/landing/tools/steer`);
    expect(from('steer', `${pilot}/tools/steer`)).toBe(`${pilot}/tools/steer`);
    expect(from('steer', 'maps__routes__plan')).toBeUndefined();
    expect(from('find', 'pilot__steer')).toBe('maps__routes__find');
    expect(from('find', 'maps__find')).toBe('maps__find');
    expect(from('find', 'lookup')).toBeUndefined();
    expect(from('normalize', 'plugins/maps/skills/links/tools/normalize')).toBe(
      'plugins/maps/skills/links/tools/normalize',
    );
    expect(from('links__normalize', 'lookup')).toBeUndefined();
    expect(from('constructor', 'lookup')).toBeUndefined();
  });

  it('runs hidden and private tools from code, and tells each its qualified name', async () => {
    const { runtime } = loaded;
    const value = async (name: string) => {
      const outcome = await runtime.call(name, {});
      return outcome.status === 'success' ? outcome.result.value : outcome.code;
    };
    expect(await value('secret')).toBe('ran secret: Hidden from models.');
    expect(await value('notes__keep')).toMatch(/Keeps notes\.$/);
    expect(await value(`${pilot}/skills/landing/tools/steer`)).toMatch(/Steers while landing\.$/);
    expect(await value('plugins/maps/skills/links/tools/normalize')).toMatch(/Normalizes map links\.$/);
    expect(await value('lottery__lottery_sync')).toBe('ran lottery__lottery_sync: Fetches draws.');
    expect(await value('links__normalize')).toBe('UNKNOWN_TOOL');
    expect(await value('lottery_sync')).toBe('UNKNOWN_TOOL');
  });

  it('keeps private and hidden tools from the model, however it calls them', async () => {
    const names = ['secret', 'notes__keep', 'pilot__steer', 'links__normalize', 'keep', 'skills/notes/tools/keep'];
    await using model = await startScriptedModel({
      answers: [{ calls: names.map((name) => ({ name })) }, { calls: [{ name: 'maps__find' }] }, { text: 'I see.' }],
      lenient: true,
    });
    const environment = { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'scripted' };
    const { runtime } = await load(largerTree, { environment, model: 'openai/scripted' });
    expect(await runtime.run({ text: 'go' }).result).toMatchObject({ status: 'done', text: 'I see.' });
    const requests = model.requests.filter(({ format }) => format !== undefined);
    expect(requests).toHaveLength(3);
    for (const { toolNames } of requests) {
      expect([...toolNames].sort()).toEqual([
        'lookup',
        'lottery__lottery_sync',
        'maps__find',
        'maps__routes__find',
        'maps__routes__plan',
      ]);
    }
    const results = requests[1]?.messages.at(-1)?.results.map(({ text }) => JSON.parse(text)) ?? [];
    expect(results).toHaveLength(names.length);
    for (const result of results) {
      expect(result).toMatchObject({ status: 'error', error_type: 'UNKNOWN_TOOL', effect: 'none' });
      expect(result.hint).not.toMatch(/secret|keep|steer|normalize/);
    }
    expect(requests[2]?.messages.at(-1)?.results[0]?.text).toContain('Finds places.');
  });
});

describe('names of the framework', () => {
  const reserved = ['discover', 'load_tool', 'load_skill', 'ask_user', 'spawn_task'];
  const tool = "defineAgentTool({ description: 'x', execute: () => 1 })";

  const folders = Object.fromEntries(
    reserved.map((name) => [
      `tools/${name}/index.ts`,
      `import { defineAgentTool } from 'baigong'; export default ${tool};`,
    ]),
  );
  const setup = `
    import { defineAgentTool, definePlugin } from 'baigong';
    const names = ${JSON.stringify(reserved)};
    export default definePlugin({
      name: 'root',
      setup(context) { for (const name of names) context.addTool(name, ${tool}); },
    });
  `;

  it.each([
    ['folders', folders, (name: string) => `tools/${name}/index.ts`],
    ['addTool', { 'plugin.ts': setup }, () => 'plugin.ts'],
  ] as const)('are refused for %s, all at once, each with its file', async (_what, files, fileOf) => {
    const problems = await fatalProblems(files);
    expect(problems.map(({ code, file, found }) => [code, file, found]).sort()).toEqual(
      reserved.map((name) => ['RESERVED_NAME', fileOf(name), JSON.stringify(name)]).sort(),
    );
  });

  it('are free where the plugin’s or the skill’s name stands before them', async () => {
    const source = `import { defineAgentTool } from 'baigong'; export default ${tool};`;
    const { runtime } = await load({
      'plugins/maps/tools/discover/index.ts': source,
      'skills/notes/SKILL.md': '---\nname: notes\ndescription: Notes.\n---\nDo.\n',
      'skills/notes/tools/ask_user/index.ts': source,
    });
    expect(
      own(runtime)
        .filter(({ kind }) => kind === 'tool')
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['maps__discover', 'notes__ask_user']);
  });
});

describe('addTool', () => {
  /** Everything but where the code lies. */
  const rest = ({ runtime: { table } }: LoadedProject) => {
    const tool = table.get('cafe__tea');
    if (tool === undefined) throw new Error('there is no tea');
    const { code: _code, definitionDigest: _digest, source, ...same } = tool;
    const { file: _file, via: _via, ...origin } = source;
    return { ...same, source: origin, admission: table.admissionClasses[tool.admissionClass] };
  };
  const both = async () => {
    const { file, setup } = teaFiles(teaFields);
    return { file: await load(file), setup: await load(setup) };
  };

  it('gives the same capability as a file', async () => {
    const { file, setup } = await both();
    expect(rest(file)).toMatchObject({ name: 'cafe__tea', version: '2.1.0', limits: { timeoutMs: 1234 } });
    expect(rest(setup)).toEqual(rest(file));
    expect(setup.runtime.table.get('cafe__tea')?.source.via).toBe('setup');
    expect(file.runtime.table.get('cafe__tea')?.source.via).toBe('folder');
  });

  it('gives a tool that acts as one from a file', async () => {
    const { file, setup } = await both();
    const origin = { kind: 'im', platform: 'icqq', scope: 'group' } as const;
    const inputs = [{ kind: 'green' }, { kind: 'red' }, { kind: 'black', cups: 1.5 }, { kind: 'black', cups: 99 }];
    for (const [index, status] of ['success', 'error', 'error', 'error'].entries()) {
      const call = async ({ runtime }: { readonly runtime: Runtime }) => {
        const { durationMs: _time, ...outcome } = await runtime.call('cafe__tea', inputs[index] ?? {}, { origin });
        return outcome;
      };
      const outcome = await call(file);
      expect(outcome.status).toBe(status);
      expect(await call(setup)).toEqual(outcome);
    }
    expect(await setup.runtime.call('cafe__tea', { kind: 'green' })).toMatchObject({ code: 'UNKNOWN_TOOL' });
  });

  it.each([
    ['a field of the wrong type', 'requiresApproval: 5, execute: () => 1'],
    ['a value that is near', "scopes: ['gruop'], execute: () => 1"],
    ['a field that is none', "platform: ['icqq'], execute: () => 1"],
    ['a reference that leads nowhere', "dependsOn: ['kettel'], execute: () => 1"],
    ['a schema that is none', "inputSchema: { type: 'array' }, execute: () => 1"],
    ['a permission rule that nobody reads', "permissions: ['rol(master)'], execute: () => 1"],
    ['no execute', ''],
  ])('is judged as a file is: %s', async (_what, fields) => {
    const files = teaFiles(fields);
    const [file, setup] = [await fatalProblems(files.file), await fatalProblems(files.setup)];
    // In a plugin.ts the field also tells in which tool it stands.
    const bare = ({ code, field, found, expected }: Problem) => [
      code,
      field?.replace('tool/tea/', ''),
      found,
      expected,
    ];
    expect(file).not.toEqual([]);
    expect(setup.map(bare)).toEqual(file.map(bare));
    for (const problem of file) expect(problem.file).toMatch(/^plugins\/cafe\/tools\/tea\/index\.ts/);
    for (const problem of setup) expect(problem.file).toMatch(/^plugins\/cafe\/plugin\.ts/);
  });

  it('adds nothing when setup returns before', async () => {
    const plugin = (early: string) => `
      import { defineAgentPromptSection, defineAgentTool, defineHook, definePlugin } from 'baigong';
      export default definePlugin({
        name: 'root',
        async setup(context) {
          await Promise.resolve();
          ${early}
          context.addTool('tea', defineAgentTool({ description: 'x', execute: () => 1 }));
          context.addSkill('brew', { description: 'How to brew.', body: 'Boil.' });
          context.addHook('watch', defineHook({ on: 'turn:end', handler: () => {} }));
          context.addPromptSection('terms', defineAgentPromptSection({ title: 'Terms', content: 'Tea is Thea.' }));
        },
      });
    `;
    const all = await load({ 'plugin.ts': plugin('') });
    expect(own(all.runtime).map(({ kind, key, source }) => [kind, key, source.via])).toEqual([
      ['tool', 'tea', 'setup'],
      ['skill', 'brew', 'setup'],
      ['prompt-section', 'terms', 'setup'],
      ['hook', 'watch', 'setup'],
    ]);
    const none = await load({ 'plugin.ts': plugin('if (!context.config.get().on) return;') });
    expect(own(none.runtime)).toEqual([]);
    expect(none.runtime.problems).toEqual([]);
  });
});

describe('the digest of the table', () => {
  it('is the same for the same project elsewhere', async () => {
    const [one, other] = [await load(largerTree), await load(largerTree)];
    expect(other.runtime.table.digest).toBe(one.runtime.table.digest);
  });

  it.each([
    [
      'a description',
      'plugins/maps/tools/find/index.ts',
      "description: 'Finds places.'",
      "description: 'Finds\\nplaces.'",
    ],
    ['the body of a skill', 'skills/links/SKILL.md', 'Do it.\n', 'Do\nit.\n'],
    ['a blank line of a skill', 'skills/links/SKILL.md', '---\n\nDo it.\n', '---\n\n\nDo it.\n'],
    ['the body of a private skill', `${pilot}/skills/landing/SKILL.md`, 'Do it.\n', 'Do it.\n\n'],
    ['the role of an agent', `${pilot}/system.md`, '# You fly\n', '# You fly\n\n'],
    ['the boundaries of an agent', `${pilot}/boundaries.md`, 'never land', 'never\nland'],
    ['the conventions of an agent', `${pilot}/conventions.md`, 'heights in', 'heights\nin'],
    ['a prompt section', 'prompt-sections/terms/index.ts', 'pull request.', 'pull\\nrequest.'],
  ])('changes with one newline in %s, and back', async (_what, path, before, after) => {
    const { project, runtime } = await load(largerTree);
    const { digest } = runtime.table;
    const source = largerTree[path] ?? '';
    expect(source.split(before)).toHaveLength(2);
    await project.write({ [path]: source.replace(before, () => after) });
    expect(await runtime.reload()).toMatchObject({ status: 'changed', generation: 2 });
    expect(runtime.table.digest).not.toBe(digest);
    await project.write({ [path]: source });
    await runtime.reload();
    expect(runtime.table.digest).toBe(digest);
  });

  it('changes with one newline in the description alone, the code being the same', async () => {
    const execute = () => 1;
    const digestOf = async (description: string) => {
      const runtime = await createRuntime({
        store: 'memory',
        environment: {},
        tools: { tea: defineAgentTool({ description, execute }) },
      });
      open.push(runtime);
      return runtime.table.digest;
    };
    expect(await digestOf('Orders tea.\nFor one.')).not.toBe(await digestOf('Orders tea. For one.'));
    expect(await digestOf('Orders tea.')).toBe(await digestOf('Orders tea.'));
  });
});
