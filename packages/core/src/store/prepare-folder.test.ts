import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSqliteStore } from './create-sqlite-store.ts';
import { type Opening, startOpening } from './fixtures/start-opening.ts';
import { migrations } from './migrations.ts';

let root: string;
const openings = new Set<Opening>();

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'baigong-'));
});

afterEach(async () => {
  for (const { child } of openings) child.kill('SIGKILL');
  openings.clear();
  await rm(root, { recursive: true });
});

async function openInProcess(...args: Parameters<typeof startOpening>): Promise<Awaited<Opening['result']>> {
  const opening = await startOpening(...args);
  openings.add(opening);
  opening.go();
  return opening.result;
}

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8);
}

describe('a new folder and all that is in it is for its owner only', () => {
  test.each([0o000, 0o077, 0o277])('with umask %o', async (umask) => {
    const folder = join(root, 'project', '.baigong');
    // Ended while it is open, so that SQLite's companion files stay.
    const result = await openInProcess({ file: join(folder, 'store.db'), umask, dieOpen: true });
    expect(result).toEqual({ version: migrations.length });
    expect(await modeOf(join(root, 'project'))).toBe('700');
    expect(await modeOf(folder)).toBe('700');
    const names = (await readdir(folder)).sort();
    expect(names).toEqual(['store.db', 'store.db-shm', 'store.db-wal']);
    for (const name of names) expect(await modeOf(join(folder, name)), name).toBe('600');
  });
});

test.each([0o755, 0o770, 0o777])('a folder that exists keeps its mode %o', async (mode) => {
  const folder = join(root, 'mine');
  await mkdir(folder);
  await chmod(folder, mode);
  await (await createSqliteStore({ file: join(folder, 'store.db') })).close();
  expect(await modeOf(folder)).toBe(mode.toString(8));
  expect(await modeOf(join(folder, 'store.db'))).toBe('600');
});

test('a link to a folder is a folder', async () => {
  await mkdir(join(root, 'real'));
  await symlink('real', join(root, 'link'));
  await (await createSqliteStore({ file: join(root, 'link', 'store.db') })).close();
  expect(await readdir(join(root, 'real'))).toEqual(['store.db']);
});

describe('says which path is in the way and what to do,', () => {
  test.each<[string, string, () => Promise<void>, readonly string[]]>([
    ['a file', 'state/store.db', () => writeFile(join(root, 'state'), ''), ['state is a file', 'Move that file away']],
    [
      'a file further up',
      'state/deep/er/store.db',
      () => writeFile(join(root, 'state'), ''),
      ['state is a file', 'Move that file away'],
    ],
    [
      'a link to nothing',
      'state/store.db',
      () => symlink('not mounted', join(root, 'state')),
      ['state is a link to not mounted', 'remove the link'],
    ],
    [
      'a link to nothing further up',
      'state/deep/store.db',
      () => symlink('not mounted', join(root, 'state')),
      ['state is a link to not mounted', 'remove the link'],
    ],
    [
      'a folder whose name is too long',
      `${'x'.repeat(300)}/store.db`,
      async () => undefined,
      ['could not be made (ENAMETOOLONG)', 'Make it by hand'],
    ],
  ])('%s', async (_name, path, arrange, said) => {
    await arrange();
    const before = await readdir(root);
    const file = join(root, path);
    const error: unknown = await createSqliteStore({ file }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'StoreError', code: 'CANNOT_OPEN' });
    for (const words of [file, root, ...said]) expect((error as Error).message).toContain(words);
    expect(await readdir(root)).toEqual(before);
  });

  test('a folder that this process may not write to', async () => {
    const folder = join(root, 'locked');
    await chmod(root, 0o711);
    await mkdir(folder);
    await chmod(folder, 0o555);
    const result = await openInProcess({ file: join(folder, 'store.db'), dropRights: true });
    expect(result?.code).toBe('CANNOT_OPEN');
    for (const words of [join(folder, 'store.db'), `write to the folder ${folder} (EACCES)`, 'write access']) {
      expect(result?.message).toContain(words);
    }
    expect(await readdir(folder)).toEqual([]);
  });

  test('a folder in which this process may make none', async () => {
    await chmod(root, 0o555);
    const folder = join(root, 'new');
    const result = await openInProcess({ file: join(folder, 'store.db'), dropRights: true });
    expect(result?.code).toBe('CANNOT_OPEN');
    expect(result?.message).toContain(`${folder} does not exist and could not be made (EACCES)`);
    await chmod(root, 0o700);
  });
});
