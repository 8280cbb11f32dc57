import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from './open-database.ts';

test('the durable connection waits for the disk, the other one does not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'baigong-'));
  const { main, durable } = await openDatabase(join(folder, 'store.db'));
  const NORMAL = 1;
  const FULL = 2;
  expect(main.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: NORMAL });
  expect(durable.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: FULL });
  for (const connection of [main, durable]) {
    expect(connection.prepare('PRAGMA foreign_keys').get()).toEqual({ foreign_keys: 1 });
    expect(connection.prepare('PRAGMA busy_timeout').get()).toEqual({ timeout: 5000 });
    connection.close();
  }
  await rm(folder, { recursive: true });
});
