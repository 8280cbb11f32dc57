import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createProject, type TemporaryProject } from '@baigong/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { lifePlugin, reloadProject } from './fixtures/reload-project.ts';
import {
  createRuntime,
  type JsonObject,
  type Outcome,
  outcomeJson,
  type Runtime,
  type RuntimeNotice,
  type RuntimeOptions,
} from './index.ts';

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).reverse()) await one();
});

interface World {
  readonly project: TemporaryProject;
  readonly runtime: Runtime;
  readonly notices: RuntimeNotice[];
  /** What plugins wrote of their lives. */
  life(): Promise<string>;
  /** Result of a call, or the error's code. */
  call(name: string, input?: JsonObject): Promise<unknown>;
}

async function start(files: Readonly<Record<string, string>> = {}, options: RuntimeOptions = {}): Promise<World> {
  const project = await createProject({ ...reloadProject, ...files });
  undo.push(() => project.remove());
  const log = join(project.root, 'life.log');
  await writeFile(log, '');
  await project.write({ 'baigong.config.yml': configuration(log, 'first') });
  const notices: RuntimeNotice[] = [];
  const runtime = await createRuntime({
    project: project.root,
    store: 'memory',
    model: 'offline',
    environment: {},
    home: project.root,
    onNotice: (notice) => notices.push(notice),
    ...options,
  });
  undo.push(() => runtime.close());
  return {
    project,
    runtime,
    notices,
    life: async () => (await readFile(log, 'utf8')).trim(),
    call: async (name, input = {}) => resultOf(await runtime.call(name, input)),
  };
}

/** One child, so that tools of both isolations keep the state of their modules. */
function configuration(log: string, label: string, more = ''): string {
  return `reload:\n  quietMs: 200\nexecution:\n  maxChildren: 1\nconfig:\n  label: ${label}\nplugins:\n  life:\n    log: ${log}\n${more}`;
}

function resultOf(outcome: Outcome): unknown {
  return outcome.status === 'success' ? outcome.result.value : outcomeJson(outcome, 'en');
}

const word = (value: string) => ({ 'lib/shared.ts': `export const word: string = '${value}';\n` });
const tool = (value: string) => `import { defineAgentTool } from 'baigong';
export default defineAgentTool({ description: 'Says it.', requiresApproval: 'never', execute: () => ${value} });
`;

describe('runtime.reload()', () => {
  it('changes the tools that reach what changed, and leaves the modules of all others as they are', async () => {
    const { project, runtime, call } = await start();
    const all = async () => Promise.all(['left', 'right', 'alone', 'apart'].map((name) => call(name)));
    await all();
    expect(await all()).toEqual([
      [2, 'one'],
      [2, 'one'],
      [2, 0],
      [2, 0],
    ]);
    await project.write(word('two'));
    expect(await runtime.reload()).toMatchObject({ status: 'changed', generation: 2 });
    expect(await all()).toEqual([
      [1, 'two'],
      [1, 'two'],
      [3, 0],
      [3, 0],
    ]);
    expect(runtime.livingGenerations).toBe(1);
  });

  it('finds nothing new where the same text is saved again', async () => {
    const { project, runtime, call } = await start();
    const { digest } = runtime.table;
    await call('left');
    await project.write({ ...reloadProject });
    expect(await runtime.reload()).toEqual({ status: 'unchanged', generation: 1 });
    expect(runtime.table.digest).toBe(digest);
    expect(await call('left')).toEqual([2, 'one']);
    expect(runtime.lastReload).toEqual({ status: 'unchanged', generation: 1 });
  });

  it('serves on with what was right while a file is broken, and takes up the repair', async () => {
    const { project, runtime, life, call } = await start();
    await project.write({ ...word('two'), 'tools/alone/index.ts': 'export default {,' });
    const refused = await runtime.reload();
    expect(refused).toMatchObject({
      status: 'refused',
      generation: 1,
      problems: [{ code: 'SYNTAX_ERROR', file: expect.stringMatching(/^tools\/alone\/index\.ts:1/), fatal: true }],
    });
    // Nothing of the new state is visible: neither the right half nor the old file's absence.
    expect([await call('left'), await call('alone')]).toEqual([
      [1, 'one'],
      [1, 0],
    ]);
    expect(runtime.table.generation).toBe(1);
    await project.write({ 'tools/alone/index.ts': reloadProject['tools/alone/index.ts'] ?? '' });
    expect(await runtime.reload()).toMatchObject({ status: 'changed', generation: 2 });
    expect([await call('left'), await call('alone')]).toEqual([
      [1, 'two'],
      [2, 0],
    ]);
    expect(await life()).toBe('up-one');
  });

  it('carries a plugin over while neither its files nor its configuration change, and disposes it once', async () => {
    const { project, runtime, life } = await start();
    const log = join(project.root, 'life.log');
    for (const value of ['two', 'three', 'four']) {
      await project.write(word(value));
      await runtime.reload();
    }
    expect([runtime.table.generation, await life()]).toEqual([4, 'up-one']);
    await project.write({ 'baigong.config.yml': configuration(log, 'second') });
    expect(await runtime.reload()).toMatchObject({ status: 'changed' });
    // What another plugin is configured with is no reason.
    expect(await life()).toBe('up-one');
    await project.write({ 'baigong.config.yml': configuration(log, 'second', '    more: 1\n') });
    await runtime.reload();
    await expect.poll(life).toBe('up-one up-one down-one');
    await runtime.close();
    expect(await life()).toBe('up-one up-one down-one down-one');
  });

  it('disposes what a preparation that failed had begun, and lets nothing of it be seen', async () => {
    const { project, runtime, life, call } = await start();
    const extra = `context.addTool('extra', defineAgentTool({ description: 'x', execute: () => 1 }));`;
    const withTool = (more: string) =>
      lifePlugin('two', `${extra} ${more}`).replace('{ definePlugin', '{ defineAgentTool, definePlugin');
    await project.write({ 'plugins/life/plugin.ts': withTool(`throw new Error('no port is free');`) });
    expect(await runtime.reload()).toMatchObject({ status: 'refused', problems: [{ code: 'SETUP_FAILED' }] });
    expect(await life()).toBe('up-one up-two down-two');
    // The plugin itself is right now, but another file is not.
    await project.write({ 'plugins/life/plugin.ts': withTool(''), 'tools/alone/index.ts': 'export {};' });
    expect(await runtime.reload()).toMatchObject({ status: 'refused', problems: [{ code: 'NO_DEFAULT_EXPORT' }] });
    expect(await life()).toBe('up-one up-two down-two up-two down-two');
    expect(runtime.table.get('life__extra')).toBeUndefined();
    expect(await call('left')).toEqual([1, 'one']);
    await project.write({ 'tools/alone/index.ts': reloadProject['tools/alone/index.ts'] ?? '' });
    expect(await runtime.reload()).toMatchObject({ status: 'changed', generation: 2 });
    expect(runtime.table.get('life__extra')).toBeDefined();
    await expect.poll(life).toBe('up-one up-two down-two up-two down-two up-two down-one');
  });

  it('does not wait for calls that hold every child', async () => {
    const { project, runtime, call } = await start({}, { settings: { execution: { maxChildren: 1 } } });
    const folder = await mkdtemp(join(tmpdir(), 'baigong-wait-'));
    undo.push(() => rm(folder, { recursive: true }));
    const waits = call('wait-there', { folder });
    await expect
      .poll(() => readFile(join(folder, 'begun')).then(String, () => undefined), { timeout: 20_000 })
      .toBe('');
    await project.write(word('two'));
    expect(await runtime.reload()).toMatchObject({ status: 'changed', generation: 2 });
    await writeFile(join(folder, 'go'), '');
    await waits;
  });

  it('makes a new generation of lines that moved, and leaves every definition as it was', async () => {
    const { project, runtime } = await start();
    const digests = () => runtime.table.capabilities.map(({ key, definitionDigest }) => [key, definitionDigest]);
    const before = digests();
    const source = reloadProject['tools/alone/index.ts'] ?? '';
    await project.write({ 'tools/alone/index.ts': `// Three lines\n//\n//\n${source}` });
    expect(await runtime.reload()).toMatchObject({ status: 'changed', generation: 2 });
    expect(digests()).toEqual(before);
  });

  it.each(['wait-here', 'wait-there'])(
    'lets a turn under way in %s keep its own generation to its end',
    async (name) => {
      const { project, runtime, life, call } = await start({}, { settings: { execution: { maxChildren: 2 } } });
      const folder = await mkdtemp(join(tmpdir(), 'baigong-wait-'));
      undo.push(() => rm(folder, { recursive: true }));
      const waits = call(name, { folder });
      await expect
        .poll(() => readFile(join(folder, 'begun')).then(String, () => undefined), { timeout: 20_000 })
        .toBe('');
      await project.write({
        ...word('two'),
        'plugins/life/plugin.ts': lifePlugin('two'),
        'baigong.config.yml': configuration(join(project.root, 'life.log'), 'second'),
      });
      expect(await runtime.reload()).toMatchObject({ status: 'changed', generation: 2 });
      await project.write({ ...word('three'), 'plugins/life/plugin.ts': lifePlugin('three') });
      await rm(join(project.root, 'tools/say'), { recursive: true });
      expect(await runtime.reload()).toMatchObject({ status: 'changed', generation: 3 });
      expect(await call('left')).toEqual([1, 'three']);
      // The one between had no turn.
      await expect.poll(life).toBe('up-one up-two up-three down-two');
      expect(runtime.livingGenerations).toBe(2);
      await writeFile(join(folder, 'go'), '');
      expect(await waits).toEqual(['one', 'first', 'one', 'said one']);
      await expect.poll(life).toBe('up-one up-two up-three down-two down-one');
      expect(runtime.livingGenerations).toBe(1);
    },
  );

  it.each<[string, (project: TemporaryProject) => Promise<unknown>, string[], string[]]>([
    ['a new file', (project) => project.write({ 'tools/fresh/index.ts': tool('1') }), ['fresh'], []],
    ['a deleted folder', (project) => rm(join(project.root, 'tools/say'), { recursive: true }), [], ['say']],
    [
      'a renamed folder',
      (project) => rename(join(project.root, 'tools/say'), join(project.root, 'tools/tell')),
      ['tell'],
      ['say'],
    ],
    [
      'a plugin that appears',
      (project) =>
        project.write({ 'plugins/maps/tools/route/index.ts': tool('1'), 'plugins/maps/plugin.ts': mapsPlugin }),
      ['maps__route', 'maps__added'],
      [],
    ],
  ])('takes up %s', async (_what, change, added, removed) => {
    const { project, runtime } = await start();
    const before = runtime.table.tools.map(({ name }) => name);
    await change(project);
    expect(await runtime.reload()).toMatchObject({ status: 'changed' });
    const after = runtime.table.tools.map(({ name }) => name);
    expect(after.filter((name) => !before.includes(name)).sort()).toEqual([...added].sort());
    expect(before.filter((name) => !after.includes(name))).toEqual(removed);
  });

  it('sees plugin.ts appear in the root and disappear again', async () => {
    const { project, runtime, call } = await start();
    await project.write({ 'plugin.ts': mapsPlugin });
    await runtime.reload();
    expect(await call('added')).toBe('added');
    await rm(join(project.root, 'plugin.ts'));
    expect(await runtime.reload()).toMatchObject({ status: 'changed', generation: 3 });
    expect(await call('added')).toMatchObject({ error_type: 'UNKNOWN_TOOL' });
  });

  it.each(['inline', 'process'])('points at the author’s new lines in the record (%s)', async (isolation) => {
    const failing = (lines: number) => `import { defineAgentTool } from 'baigong';
${'\n'.repeat(lines)}function breaks(): never { throw new Error('no paper'); }
export default defineAgentTool({ description: 'Breaks.', isolation: '${isolation}', requiresApproval: 'never', execute() { return breaks(); } });
`;
    const { project, runtime } = await start({ 'tools/breaks/index.ts': failing(0) });
    const positions = async (session: string) => {
      await runtime.call('breaks', {}, { session });
      const [turn] = await runtime.turns(session, 1);
      return JSON.stringify(await runtime.record(turn?.id ?? '')).match(/tools\/breaks\/index\.ts:\d+/g)?.[0];
    };
    expect(await positions('before')).toBe('tools/breaks/index.ts:2');
    await project.write({ 'tools/breaks/index.ts': failing(40) });
    await runtime.reload();
    // In another session: the same call again would be asked about, since it may have happened.
    expect(await positions('after')).toBe('tools/breaks/index.ts:42');
  });

  it('gives way to close, which leaves nothing open', async () => {
    const { project, runtime, life } = await start();
    await project.write({
      'plugins/life/plugin.ts': lifePlugin('two', 'await new Promise(() => {});').replace('setup(', 'async setup('),
    });
    const reload = runtime.reload().then(
      ({ status }) => status,
      (error) => error.code,
    );
    await expect.poll(life).toBe('up-one up-two');
    const next = runtime.reload().catch((error) => error.code);
    await runtime.close();
    expect(await reload).toBe('CLOSED');
    expect(await next).toBe('CLOSED');
    expect((await life()).split(' ').sort()).toEqual(['down-one', 'down-two', 'up-one', 'up-two']);
    await expect(runtime.reload()).rejects.toMatchObject({ code: 'CLOSED' });
  });

  it('answers who asks while one is under way with a load that saw everything by then', async () => {
    const { project, runtime, call } = await start();
    await project.write(word('two'));
    const first = runtime.reload();
    await project.write(word('three'));
    const results = await Promise.all([first, runtime.reload(), runtime.reload()]);
    expect(results[1]).toEqual(results[2]);
    expect(await call('left')).toEqual([1, 'three']);
    expect(runtime.livingGenerations).toBe(1);
  });
});

const mapsPlugin = `import { defineAgentTool, definePlugin } from 'baigong';
export default definePlugin({ name: 'maps', setup(context) {
  context.addTool('added', defineAgentTool({ description: 'Added.', requiresApproval: 'never', execute: () => 'added' }));
} });
`;

describe('a runtime that watches', () => {
  const watching = (files: Readonly<Record<string, string>> = {}) => start(files, { watch: true });
  const ofReload = (notices: readonly RuntimeNotice[]) => notices.filter(({ type }) => type === 'reload');
  const settled = (notices: readonly RuntimeNotice[], count: number) =>
    expect.poll(() => ofReload(notices).length, { timeout: 20_000 }).toBe(count);

  it('makes one generation of a burst of files, none of a save that changes nothing', async () => {
    const { project, notices, call } = await watching();
    for (let at = 0; at < 10; at += 1) {
      const file = at % 2 === 0 ? 'lib/shared.ts' : 'tools/alone/index.ts';
      const text =
        at % 2 === 0 ? word(`burst${at}`)['lib/shared.ts'] : reloadProject[file]?.replace('Counts', `Counts ${at}`);
      writeFileSync(join(project.root, file), text ?? '');
    }
    await settled(notices, 1);
    expect(notices[0]).toMatchObject({ type: 'reload', status: 'changed', generation: 2 });
    expect(await call('left')).toEqual([1, 'burst8']);
    await project.write(word('burst8'));
    await project.write({ 'life.txt': 'what a tool wrote', '.cache/x.ts': '{' });
    await project.write(word('marker'));
    await settled(notices, 2);
    expect(notices[1]).toMatchObject({ generation: 3 });
    expect(await call('left')).toEqual([1, 'marker']);
  });

  it('tells what is broken, serves on, and takes up the repair', async () => {
    const { project, notices, runtime, call } = await watching();
    await project.write({ 'tools/alone/index.ts': 'export default {,' });
    await settled(notices, 1);
    expect(notices[0]).toMatchObject({ status: 'refused', generation: 1, problems: [{ code: 'SYNTAX_ERROR' }] });
    expect(await call('alone')).toEqual([1, 0]);
    await project.write({ 'tools/alone/index.ts': tool("'mended'") });
    await settled(notices, 2);
    expect(await call('alone')).toBe('mended');
    expect(runtime.livingGenerations).toBe(1);
  });

  it('sees files, folders and the configuration appear, change and go', async () => {
    const { project, notices, runtime, call } = await watching();
    await project.write({ 'plugins/maps/tools/route/index.ts': tool("'route'"), 'plugins/maps/plugin.ts': mapsPlugin });
    await expect.poll(() => runtime.table.get('maps__route')?.name, { timeout: 20_000 }).toBe('maps__route');
    await expect.poll(() => runtime.table.get('maps__added')?.name, { timeout: 20_000 }).toBe('maps__added');
    await rename(join(project.root, 'plugins/maps'), join(project.root, 'plugins/atlas'));
    await expect.poll(() => call('atlas__route'), { timeout: 20_000 }).toBe('route');
    expect(runtime.table.get('maps__route')).toBeUndefined();
    await rm(join(project.root, 'plugins/atlas'), { recursive: true });
    await expect.poll(() => runtime.table.get('atlas__route'), { timeout: 20_000 }).toBeUndefined();
    const before = notices.length;
    await project.write({ 'baigong.config.yml': configuration(join(project.root, 'life.log'), 'second') });
    await settled(notices, before + 1);
    expect(runtime.configuration.settings.config).toEqual({ label: 'second' });
  });

  it('says that a restart is needed for a changed lockfile and a changed linked package', async () => {
    const linked = await mkdtemp(join(tmpdir(), 'baigong-linked-'));
    undo.push(() => rm(linked, { recursive: true }));
    await writeFile(
      join(linked, 'package.json'),
      '{ "name": "linked", "version": "1.0.0", "type": "module", "exports": "./index.js" }',
    );
    await writeFile(join(linked, 'index.js'), 'export const value = 1;\n');
    const project = await createProject({
      'package.json': '{ "name": "links", "type": "module" }',
      'package-lock.json': '{}',
      'tools/linked/index.ts': `import { value } from 'linked';\n${tool('value')}`,
    });
    undo.push(() => project.remove());
    await mkdir(join(project.root, 'node_modules'));
    await symlink(linked, join(project.root, 'node_modules/linked'));
    const notices: RuntimeNotice[] = [];
    const onNotice = (notice: RuntimeNotice) => notices.push(notice);
    const options = { project: project.root, store: 'memory', environment: {}, home: project.root } as const;
    const runtime = await createRuntime({ ...options, watch: true, onNotice });
    undo.push(() => runtime.close());
    expect(resultOf(await runtime.call('linked', {}))).toBe(1);
    await project.write({ 'package-lock.json': '{ "lockfileVersion": 3 }' });
    const paths = () =>
      new Set(notices.flatMap((notice) => (notice.type === 'restart-needed' ? [notice.path.split('/').at(-1)] : [])));
    await expect.poll(paths, { timeout: 20_000 }).toEqual(new Set(['package-lock.json']));
    await writeFile(join(linked, 'index.js'), 'export const value = 2;\n');
    await expect.poll(paths, { timeout: 20_000 }).toEqual(new Set(['package-lock.json', 'index.js']));
    expect(runtime.table.generation).toBe(1);
  });
});

it('holds no more after two hundred reloads than after fifty', async () => {
  const script = join(import.meta.dirname, 'fixtures/reload-leaks-script.ts');
  const flags = ['--conditions=baigong-source', '--disable-warning=ExperimentalWarning', '--expose-gc'];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, '--stress-flush-code', script]);
  const { early, late, failures, generation, evaluations } = JSON.parse(stdout);
  expect(failures).toEqual([]);
  expect({ generation, evaluations }).toEqual({ generation: 201, evaluations: 1 });
  // Each version of the file that changes holds 100 KB of data: kept, 150 of them would be 15 MB and more.
  expect(late.heap - early.heap).toBeLessThan(8_000_000);
  expect(late.childHeap - early.childHeap).toBeLessThan(8_000_000);
  expect(late.children).toEqual(early.children);
  expect([late.generations, late.life]).toEqual([1, 'up ']);
}, 300_000);
