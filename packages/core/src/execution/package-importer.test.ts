import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPackageImporter } from './package-importer.ts';

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'baigong-')));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
}

const installed = (folder: string, place: string) => ({
  [`${folder}node_modules/pkg/package.json`]: '{"name":"pkg","type":"module","exports":"./index.js"}',
  [`${folder}node_modules/pkg/index.js`]: `export const place = '${place}';`,
});

describe('importing packages for many files', () => {
  it('gives each file what Node finds from its folder', async () => {
    await write({
      ...installed('', 'root'),
      ...installed('nearer/', 'nearer'),
      'self/package.json': '{"name":"pkg","type":"module","exports":"./self.js"}',
      'self/self.js': `export const place = 'self';`,
    });
    const importer = createPackageImporter();
    const placeFrom = async (file: string) => {
      const namespace = await importer.from(join(root, file))('pkg');
      return (namespace as { readonly place: string }).place;
    };
    const expected: readonly (readonly [string, string])[] = [
      ['a/index.ts', 'root'],
      ['b/deep/index.ts', 'root'],
      ['nearer/index.ts', 'nearer'],
      ['nearer/deep/index.ts', 'nearer'],
      ['self/index.ts', 'self'],
      ['self/deep/index.ts', 'self'],
      ['index.ts', 'root'],
    ];
    const found: (readonly [string, string])[] = [];
    for (const [file] of expected) found.push([file, await placeFrom(file)]);
    expect(found).toEqual(expected);
  });

  it('names the file that imports what is missing, and finds it once it is there', async () => {
    const importer = createPackageImporter();
    const [first, second] = [join(root, 'a/index.ts'), join(root, 'b/index.ts')];
    await expect(importer.from(first)('pkg')).rejects.toThrow(first);
    await expect(importer.from(second)('pkg')).rejects.toThrow(second);
    await write(installed('', 'late'));
    expect(await importer.from(second)('pkg')).toMatchObject({ place: 'late' });
  });

  it('takes paths from the file in which they stand', async () => {
    await write({ 'a/x.mjs': `export const place = 'a';`, 'b/x.mjs': `export const place = 'b';` });
    const importer = createPackageImporter();
    expect(await importer.from(join(root, 'a/index.ts'))('./x.mjs')).toMatchObject({ place: 'a' });
    expect(await importer.from(join(root, 'b/index.ts'))('./x.mjs')).toMatchObject({ place: 'b' });
  });
});
