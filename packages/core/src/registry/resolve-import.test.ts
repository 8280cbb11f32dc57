import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { writeProject } from './fixtures/write-project.ts';
import { openProjectFiles } from './project-files.ts';
import { resolveImport } from './resolve-import.ts';

const files = {
  'tools/weather/index.ts': '',
  'tools/weather/client.ts': '',
  'tools/weather/both.js': '',
  'tools/weather/both.ts': '',
  'tools/weather/module.mts': '',
  'tools/weather/common.cts': '',
  'tools/weather/plain.mjs': '',
  'tools/weather/plain.cjs': '',
  'tools/weather/weather.v2.ts': '',
  'tools/weather/cities.json': '{}',
  'tools/weather/notes.txt': '',
  'tools/weather/parts/index.mts': '',
  'tools/weather/same/index.ts': '',
  'tools/weather/same.ts': '',
  "tools/weather/it's 天气.ts": '',
  'tools/weather/100%25.ts': '',
  'shared.ts': '',
};

async function resolveIn(specifier: string | ((root: string) => string), importer = 'tools/weather/index.ts') {
  const root = await writeProject(files);
  const opened = await openProjectFiles(root);
  const written = typeof specifier === 'string' ? specifier : specifier(opened.root);
  const resolved = await resolveImport(written, importer, opened);
  return resolved.kind === 'own' ? resolved.file.path : resolved;
}

describe('resolveImport', () => {
  it.each([
    ['./client.ts', 'tools/weather/client.ts'],
    ['./client.js', 'tools/weather/client.ts'],
    ['./client', 'tools/weather/client.ts'],
    ['./both.js', 'tools/weather/both.js'],
    ['./both', 'tools/weather/both.ts'],
    ['./module.mjs', 'tools/weather/module.mts'],
    ['./module', 'tools/weather/module.mts'],
    ['./common.cjs', 'tools/weather/common.cts'],
    ['./plain.mjs', 'tools/weather/plain.mjs'],
    ['./plain.cjs', 'tools/weather/plain.cjs'],
    ['./weather.v2', 'tools/weather/weather.v2.ts'],
    ['./cities.json', 'tools/weather/cities.json'],
    ['./cities', 'tools/weather/cities.json'],
    ['./parts', 'tools/weather/parts/index.mts'],
    ['./parts/', 'tools/weather/parts/index.mts'],
    ['./same', 'tools/weather/same.ts'],
    ['./same/', 'tools/weather/same/index.ts'],
    ['./same/index.js', 'tools/weather/same/index.ts'],
    ['.', 'tools/weather/index.ts'],
    ['./', 'tools/weather/index.ts'],
    ['../../shared.ts', 'shared.ts'],
    ["./it's 天气.ts", "tools/weather/it's 天气.ts"],
    ["./it's%20%E5%A4%A9%E6%B0%94.ts", "tools/weather/it's 天气.ts"],
    ['./100%25.ts', 'tools/weather/100%25.ts'],
    ['./client.ts?version=2#top', 'tools/weather/client.ts'],
  ])('finds the file behind %s', async (specifier, expected) => {
    expect(await resolveIn(specifier)).toBe(expected);
  });

  it('reads file addresses and absolute paths below the root as own files', async () => {
    expect(await resolveIn((root) => pathToFileURL(join(root, 'shared.ts')).href)).toBe('shared.ts');
    expect(await resolveIn((root) => join(root, 'shared'))).toBe('shared.ts');
  });

  it.each(['zod', 'node:fs', '@scope/name/sub', '#internal', '...', 'data:text/javascript,1'])(
    'leaves %s to Node',
    async (specifier) => {
      expect(await resolveIn(specifier)).toEqual({ kind: 'package' });
    },
  );

  it.each([
    ['./clint.ts', './client.ts'],
    ['./clients', './client.ts'],
    ['./citys.json', './cities.json'],
    ['../weather/clint', '../weather/client.ts'],
    ['./part/', './parts'],
    ['./entirely-different.ts', undefined],
    ['./nowhere/at/all.ts', undefined],
  ])('says what is near %s, which does not exist', async (specifier, nearest) => {
    expect(await resolveIn(specifier)).toEqual(
      nearest === undefined ? { kind: 'unresolved' } : { kind: 'unresolved', nearest },
    );
  });

  it.each(['../../../outside.ts', '/etc/hostname', 'file:///etc/hostname'])('does not follow %s', async (specifier) => {
    expect(await resolveIn(specifier)).toEqual({ kind: 'leaves-root' });
  });

  it('does not import what is no code', async () => {
    expect(await resolveIn('./notes.txt')).toEqual({ kind: 'unsupported' });
  });

  it('knows one file by one path, whatever link leads to it, and follows none out of the root', async () => {
    const outside = await writeProject({ 'secret.ts': '' });
    const root = await writeProject(files);
    await symlink('client.ts', join(root, 'tools/weather/alias.ts'));
    await symlink(join(outside, 'secret.ts'), join(root, 'tools/weather/away.ts'));
    await symlink('nothing.ts', join(root, 'tools/weather/broken.ts'));
    await symlink('loop.ts', join(root, 'tools/weather/loop.ts'));
    await mkdir(join(root, 'links'));
    await symlink('../tools/weather', join(root, 'links/weather'));
    const opened = await openProjectFiles(root);
    const resolve = (specifier: string) => resolveImport(specifier, 'tools/weather/index.ts', opened);
    expect(await resolve('./alias.ts')).toMatchObject({ kind: 'own', file: { path: 'tools/weather/client.ts' } });
    expect(await resolve('../../links/weather/client')).toMatchObject({ file: { path: 'tools/weather/client.ts' } });
    expect(await resolve('./away.ts')).toEqual({ kind: 'leaves-root' });
    expect(await resolve('./broken.ts')).toMatchObject({ kind: 'unresolved' });
    expect(await resolve('./loop.ts')).toEqual({ kind: 'unreadable', reason: 'ELOOP' });
  });
});
