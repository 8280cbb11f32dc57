import { accessSync, chmodSync, constants, lstatSync, mkdirSync, readlinkSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { text } from '../contracts/texts/text.ts';
import { StoreError } from './store-error.ts';

/**
 * Sees to the folder of a store file. What is missing of its path is made for its owner only (0700, whatever the umask
 * is); a folder that exists keeps the mode that somebody gave it.
 *
 * Throws a `StoreError` (`CANNOT_OPEN`) that names the path in the way: a file, a link to nothing, a folder that cannot
 * be made or written to.
 */
export function prepareFolder(file: string): void {
  const folder = dirname(file);
  makeFolder(folder, file);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StoreError(
      'CANNOT_OPEN',
      text('store.folder-unwritable', { file, folder, reason: codeOf(error) }),
      error,
    );
  }
}

function makeFolder(folder: string, file: string): void {
  if (isFolder(folder, file)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent, file);
  try {
    mkdirSync(folder, { mode: 0o700 });
    // The umask may have taken from it what its owner needs.
    chmodSync(folder, 0o700);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (codeOf(error) === 'EEXIST' && isFolder(folder, file)) return;
    throw new StoreError('CANNOT_OPEN', text('store.folder-not-made', { file, folder, reason: codeOf(error) }), error);
  }
}

/** False: nothing is there. Throws when something else is. */
function isFolder(folder: string, file: string): boolean {
  const found = look(folder, statSync);
  if (found?.isDirectory() === true) return true;
  if (found !== undefined) throw new StoreError('CANNOT_OPEN', text('store.folder-is-file', { file, folder }));
  if (look(folder, lstatSync)?.isSymbolicLink() !== true) return false;
  const target = readlinkSync(folder);
  throw new StoreError('CANNOT_OPEN', text('store.folder-dangling-link', { file, folder, target }));
}

/** Undefined when nothing is there, or something in the way that will be named when its turn comes. */
function look(path: string, stat: (path: string) => Stats): Stats | undefined {
  try {
    return stat(path);
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}
