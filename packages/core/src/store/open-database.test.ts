import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openDatabase } from './open-database.ts';

const program = fileURLToPath(new URL('./fixtures/disk-process.ts', import.meta.url));

/** Counts what the process asks of the disk; fetched where it is missing and that can be done. */
function hasStrace(): boolean {
  const works = () => spawnSync('strace', ['-V']).status === 0;
  if (works()) return true;
  if (process.getuid?.() === 0) spawnSync('apt-get', ['install', '-y', 'strace'], { timeout: 120_000 });
  return works();
}

/** How often a process that takes turns in, works on them and ends them made sure that all is on disk. */
async function syncsOf(durability: 'full' | 'lazy', turns: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'baigong-disk-'));
  try {
    const log = join(folder, 'log');
    const node = [process.execPath, '--conditions=baigong-source', '--disable-warning=ExperimentalWarning', program];
    const strace = ['-f', '-qq', '-e', 'trace=fsync,fdatasync', '-o', log];
    await promisify(execFile)('strace', [...strace, ...node, join(folder, 'store.db'), durability, String(turns)]);
    return (await readFile(log, 'utf8')).split('\n').filter((line) => /f(data)?sync\(/.test(line)).length;
  } finally {
    await rm(folder, { recursive: true });
  }
}

test.skipIf(!hasStrace())(
  'waits for the disk where it must, and only there (needs strace)',
  { timeout: 60_000 },
  async () => {
    const [few, many, lazyFew, lazyMany] = [
      await syncsOf('full', 1),
      await syncsOf('full', 11),
      await syncsOf('lazy', 1),
      await syncsOf('lazy', 11),
    ];
    // For each turn: the start of its call, its answer, its end. Everything else goes along.
    expect(many - few).toBe(30);
    expect(lazyMany - lazyFew).toBe(0);
  },
);

test('a connection writes ahead, keeps foreign keys, and does not wait for the disk by itself', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'baigong-'));
  const database = await openDatabase(join(folder, 'store.db'));
  expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 1 });
  expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
  expect(database.prepare('PRAGMA foreign_keys').get()).toEqual({ foreign_keys: 1 });
  database.close();
  await rm(folder, { recursive: true });
});
