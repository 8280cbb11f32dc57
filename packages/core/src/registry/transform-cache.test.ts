import { chmod, mkdir, readdir, readFile, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Compilation } from './compiled-file.ts';
import { writeProject } from './fixtures/write-project.ts';
import { openTransformCache } from './transform-cache.ts';

const source = (text: string, path = 'tools/a/index.ts', inModulePackage = false) => ({ path, text, inModulePackage });

function compilation(code: string, path = 'tools/a/index.ts'): Compilation {
  return {
    file: { path, format: 'esm', code, sourceMap: '{}', specifiers: ['./x.ts'], dynamicOnly: new Set(['./x.ts']) },
    problems: [{ code: 'IMPORT_META', message: { key: 'plain' }, fatal: false }],
  };
}

async function fresh() {
  const folder = join(await writeProject({}), '.baigong/cache');
  return { folder, pack: join(folder, 'transforms.pack') };
}

/** A cache whose file holds `first` and `second`. */
async function filled() {
  const place = await fresh();
  const cache = openTransformCache(place.folder);
  cache.add(source('first'), compilation('one();'));
  cache.add(source('second'), compilation('two();'));
  await cache.save();
  return place;
}

const ask = (folder: string, text: string) => openTransformCache(folder).find(source(text));

describe('openTransformCache', () => {
  it('gives what was kept, to another process too, and only to the same source', async () => {
    const { folder } = await filled();
    expect(await ask(folder, 'first')).toEqual(compilation('one();'));
    expect(await ask(folder, 'second')).toEqual(compilation('two();'));
    expect(await ask(folder, 'third')).toBeUndefined();
    const cache = openTransformCache(folder);
    expect(await cache.find(source('first', 'tools/a/index.js'))).toBeUndefined();
    expect(await cache.find(source('first', 'tools/b/index.ts'))).toBeUndefined();
    expect(await cache.find(source('first', 'tools/a/index.ts', true))).toBeUndefined();
  });

  it('keeps nothing of what does not compile', async () => {
    const { folder } = await filled();
    const cache = openTransformCache(folder);
    cache.add(source('broken'), { problems: [{ code: 'SYNTAX_ERROR', message: { key: 'plain' }, fatal: true }] });
    await cache.save();
    expect(await ask(folder, 'broken')).toBeUndefined();
  });

  it('is for its owner alone', async () => {
    const { folder, pack } = await filled();
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(pack)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['transforms.pack']);
  });

  it('ignores a file that others may have written', async () => {
    const { folder, pack } = await filled();
    await chmod(pack, 0o620);
    expect(await ask(folder, 'first')).toBeUndefined();
    await chmod(pack, 0o600);
    expect(await ask(folder, 'first')).toBeDefined();
    const other = await fresh();
    await mkdir(other.folder, { recursive: true });
    await symlink(pack, other.pack);
    expect(await ask(other.folder, 'first')).toBeUndefined();
  });

  it('writes only when something was added', async () => {
    const { folder, pack } = await filled();
    const before = await stat(pack, { bigint: true });
    const cache = openTransformCache(folder);
    await cache.find(source('first'));
    cache.keep(source('second'));
    await cache.save();
    expect((await stat(pack, { bigint: true })).ino).toBe(before.ino);
  });

  it('forgets what nobody asked for in many writes, and nothing that is used or kept', async () => {
    const { folder } = await filled();
    const cache = openTransformCache(folder);
    cache.add(source('third'), compilation('three();'));
    await cache.save();
    for (let round = 0; round < 40; round++) {
      cache.add(source(`round ${round}`), compilation(`${round}`));
      await cache.find(source('first'));
      cache.keep(source('third'));
      await cache.save();
    }
    expect(await ask(folder, 'first')).toBeDefined();
    expect(await ask(folder, 'third')).toBeDefined();
    expect(await ask(folder, 'second')).toBeUndefined();
    expect(await ask(folder, 'round 39')).toBeDefined();
    expect(await ask(folder, 'round 3')).toBeUndefined();
  });

  it('stays within 64 MiB', async () => {
    const { folder, pack } = await filled();
    const cache = openTransformCache(folder);
    const large = 'x'.repeat(20 * 1024 * 1024);
    for (const name of ['a', 'b', 'c', 'd']) cache.add(source(name), compilation(large));
    await cache.save();
    expect((await stat(pack)).size).toBeLessThanOrEqual(64 * 1024 * 1024);
    expect(await ask(folder, 'a')).toEqual(compilation(large));
    expect(await ask(folder, 'd')).toBeUndefined();
  });

  it.each([
    ['cut off', (pack: string) => truncate(pack, 400)],
    ['foreign', (pack: string) => writeFile(pack, 'something else entirely'.repeat(100), { mode: 0o600 })],
    ['empty', (pack: string) => truncate(pack, 0)],
  ])('goes on with a file that is %s, and repairs it', async (_, harm) => {
    const { folder, pack } = await filled();
    await harm(pack);
    expect(await ask(folder, 'second')).toBeUndefined();
    const cache = openTransformCache(folder);
    cache.add(source('third'), compilation('three();'));
    await cache.save();
    expect(await ask(folder, 'third')).toEqual(compilation('three();'));
  });

  it('never gives wrong code, whatever byte is changed', async () => {
    const { folder, pack } = await filled();
    const whole = await readFile(pack);
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const harmed = Buffer.from(whole);
        harmed.writeUInt8(harmed.readUInt8(at) ^ change, at);
        await writeFile(pack, harmed);
        const first = await ask(folder, 'first');
        const second = await ask(folder, 'second');
        if (first !== undefined) expect(first).toEqual(compilation('one();'));
        if (second !== undefined) expect(second).toEqual(compilation('two();'));
      }),
      { numRuns: 150 },
    );
  });

  it('does not take one entry for another', async () => {
    const { folder, pack } = await filled();
    const bytes = await readFile(pack);
    // Magic (21 bytes), then for each entry: key (32), checksum (32), how long unused (1), length (4), body.
    const second = 21 + 69 + bytes.readUInt32LE(21 + 65);
    const key = Buffer.from(bytes.subarray(21, 21 + 32));
    bytes.copy(bytes, 21, second, second + 32);
    key.copy(bytes, second);
    await writeFile(pack, bytes);
    expect([await ask(folder, 'first'), await ask(folder, 'second')]).toEqual([undefined, undefined]);
  });

  it('goes on where nothing can be read or written', async () => {
    const root = await writeProject({ file: '' });
    const cache = openTransformCache(join(root, 'file/cache'));
    expect(await cache.find(source('first'))).toBeUndefined();
    cache.add(source('first'), compilation('one();'));
    expect(await cache.find(source('first'))).toEqual(compilation('one();'));
    await cache.save();
    const { folder, pack } = await fresh();
    await mkdir(pack, { recursive: true });
    const blocked = openTransformCache(folder);
    blocked.add(source('first'), compilation('one();'));
    await blocked.save();
    expect(await readdir(folder)).toEqual(['transforms.pack']);
  });

  it('lets two write at once: one wins, none is harmed', async () => {
    const { folder } = await fresh();
    const caches = Array.from({ length: 8 }, () => openTransformCache(folder));
    for (const [index, cache] of caches.entries()) cache.add(source(`by ${index}`), compilation(`${index}`));
    await Promise.all(caches.map((cache) => cache.save()));
    const found = await Promise.all(caches.map((_, index) => ask(folder, `by ${index}`)));
    expect(found.some((one) => one !== undefined)).toBe(true);
    for (const [index, one] of found.entries()) if (one !== undefined) expect(one).toEqual(compilation(`${index}`));
    expect(await readdir(folder)).toEqual(['transforms.pack']);
  });

  it('removes what a process that died while it wrote has left', async () => {
    const { folder } = await filled();
    const [old, young] = ['transforms-old.tmp', 'transforms-young.tmp'];
    for (const name of [old, young]) await writeFile(join(folder, name), '');
    await utimes(join(folder, old), 0, 0);
    const cache = openTransformCache(folder);
    cache.add(source('third'), compilation('three();'));
    await cache.save();
    expect((await readdir(folder)).sort()).toEqual([young, 'transforms.pack']);
  });
});
