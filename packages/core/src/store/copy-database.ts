import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

/** The ending of a copy that is not finished; nobody takes it for one. */
const UNFINISHED = '.part';
const PIECE_BYTES = 2 ** 20;

/** Where the copy of a store file of some version goes that is made now: `<file>.v<version>-<UTC time>.bak`. */
export function copyName(file: string, version: number, now: Date): string {
  return `${file}.v${version}-${now.toISOString().replaceAll(/[-:.]/g, '')}.bak`;
}

/**
 * Copies a store file, consistently even while other processes read it, readable by its owner only (0600), and on disk
 * before it returns. It appears under its name when it is whole. When the newest copy of that version is the same to the
 * byte (an earlier attempt at a migration was cut off or failed), that one is kept instead and its name returned, so
 * that a program that is started over and over does not fill the disk.
 *
 * The caller holds the file's write lock on another connection. Throws what the system or SQLite says.
 */
export function copyDatabase(reader: DatabaseSync, file: string, version: number, copy: string): string {
  const folder = dirname(file);
  const prefix = `${basename(file)}.v${version}-`;
  const siblings = readdirSync(folder).filter((name) => name.startsWith(prefix));
  // Who holds the lock is the only one who copies: these are from processes that are no more.
  for (const name of siblings) if (name.endsWith(`.bak${UNFINISHED}`)) rmSync(join(folder, name), { force: true });
  const part = `${copy}${UNFINISHED}`;
  try {
    const descriptor = openSync(part, 'wx', 0o600);
    try {
      reader.prepare('VACUUM INTO ?').run(part);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    const newest = siblings
      .filter((name) => name.endsWith('.bak'))
      .sort()
      .at(-1);
    if (newest !== undefined && isSame(join(folder, newest), part)) {
      rmSync(part);
      return join(folder, newest);
    }
    renameSync(part, copy);
    syncFolder(folder);
    return copy;
  } catch (error) {
    if (existsSync(part)) rmSync(part, { force: true });
    throw error;
  }
}

/** Compared piece by piece: a store may be larger than memory. */
function isSame(one: string, other: string): boolean {
  if (statSync(one).size !== statSync(other).size) return false;
  const [first, second] = [openSync(one, 'r'), openSync(other, 'r')];
  const [left, right] = [Buffer.alloc(PIECE_BYTES), Buffer.alloc(PIECE_BYTES)];
  try {
    for (;;) {
      const length = readSync(first, left);
      if (length !== readSync(second, right) || !left.subarray(0, length).equals(right.subarray(0, length)))
        return false;
      if (length === 0) return true;
    }
  } finally {
    closeSync(first);
    closeSync(second);
  }
}

/** So that the new name outlives a power cut. Windows cannot open a folder, and needs no such thing. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
