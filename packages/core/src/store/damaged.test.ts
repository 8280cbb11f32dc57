import { mkdtemp, open, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createSqliteStore } from './create-sqlite-store.ts';

it('names the remedy for a damaged file and leaves it as it is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'baigong-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'baigong.db');
  await (await createSqliteStore({ file })).close();
  const { size } = await stat(file);
  const handle = await open(file, 'r+');
  // Of the first page the header stays, so that it still looks like a database of ours.
  await handle.write(Buffer.alloc(size - 100, 0xff), 0, size - 100, 100);
  await handle.close();
  const before = await readFile(file);
  await expect(createSqliteStore({ file })).rejects.toMatchObject({
    code: 'CANNOT_OPEN',
    reason: { key: 'store.damaged', values: { file } },
  });
  expect(await readFile(file)).toEqual(before);
});
