import { mkdtemp, open, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createSqliteStore } from './create-sqlite-store.ts';

it.each([
  // Of the first page the header stays, so that it still looks like a database of ours.
  ['from its first page on', 100],
  ['behind its schema', 8_192],
])('names the remedy for a file that is damaged %s, and leaves it as it is', async (_where, from) => {
  const folder = await mkdtemp(join(tmpdir(), 'baigong-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'baigong.db');
  await (await createSqliteStore({ file })).close();
  const { size } = await stat(file);
  const handle = await open(file, 'r+');
  await handle.write(Buffer.alloc(size - from, 0xff), 0, size - from, from);
  await handle.close();
  const before = await readFile(file);
  await expect(createSqliteStore({ file })).rejects.toMatchObject({
    code: 'CANNOT_OPEN',
    reason: { key: 'store.damaged', values: { file } },
  });
  expect(await readFile(file)).toEqual(before);
});
