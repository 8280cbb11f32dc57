import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { type FileStamp, fileStamp } from './file-stamp.ts';
import { readSourceText, type SourceText } from './read-source-text.ts';

/** Bytes of one source file. */
export const LARGEST_FILE = 5 * 1024 * 1024;

/** What `relative` would have to tidy up; it takes longer than the look at the disk. */
const UNTIDY = /\/(?:\.{0,2}(?:\/|$))/;

/** Is the only real name of a file the one by which it was found, links aside? */
const FOLDS_NO_CASE = process.platform === 'linux';

/** What stands at a path, links followed. `outside`: a link leads out of the project. */
export type FoundFile =
  | { readonly kind: 'file'; readonly path: string; readonly size: number; readonly stamp: FileStamp }
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'other' | 'missing' | 'outside' }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** The files below one folder during one load. Looked up once each, so that one load sees one state. */
export interface ProjectFiles {
  /** Absolute, links resolved. */
  readonly root: string;
  /** Absolute paths of everything that was looked for or read, there or not. */
  readonly looked: ReadonlySet<string>;
  /** `path` is absolute, or relative to the root. What is found has its real path, below the root, with `/`. */
  find(path: string): FoundFile;
  /** Names in a folder, by code units; empty when it cannot be read. */
  names(path: string): readonly string[];
  /** The text of a regular file of 5 MiB at most. Throws the system's error. */
  read(path: string): SourceText;
  /** Path below the root with `/` as separator, or undefined when it is not below the root. */
  below(path: string): string | undefined;
  /** Notes an absolute path that somebody looked at by other means. */
  note(path: string): void;
}

/** Rejects with the system's error when the folder does not exist or cannot be read. */
export async function openProjectFiles(folder: string): Promise<ProjectFiles> {
  const root = await realpath(folder);
  const found = new Map<string, FoundFile>();
  const looked = new Set<string>();
  const inside = root.endsWith(sep) ? root : root + sep;
  const below = (path: string): string | undefined => {
    if (sep === '/' && path.startsWith(inside) && !UNTIDY.test(path)) return path.slice(inside.length);
    const inner = relative(root, join(isAbsolute(path) ? '' : root, path));
    if (inner === '..' || inner.startsWith(`..${sep}`) || isAbsolute(inner)) return undefined;
    return sep === '/' ? inner : inner.replaceAll(sep, '/');
  };
  const folders = new Map([[root, root]]);
  /** The system's own way looks at every part of every path, again each time. */
  const realFolder = (folder: string): string => {
    let real = folders.get(folder);
    if (real === undefined) {
      const isPlain = FOLDS_NO_CASE && folder.startsWith(inside) && !lstatSync(folder).isSymbolicLink();
      real = isPlain ? join(realFolder(dirname(folder)), basename(folder)) : realpathSync.native(folder);
      folders.set(folder, real);
    }
    return real;
  };
  const look = (absolute: string): FoundFile => {
    try {
      const own = lstatSync(absolute, { bigint: true, throwIfNoEntry: false });
      if (own === undefined) return { kind: 'missing' };
      const isLink = own.isSymbolicLink();
      const stats = isLink ? statSync(absolute, { bigint: true }) : own;
      const real =
        isLink || !FOLDS_NO_CASE
          ? realpathSync.native(absolute)
          : join(realFolder(dirname(absolute)), basename(absolute));
      const path = below(real);
      if (path === undefined) return { kind: 'outside' };
      if (real !== absolute) looked.add(real);
      if (stats.isFile()) return { kind: 'file', path, size: Number(stats.size), stamp: fileStamp(stats) };
      return stats.isDirectory() ? { kind: 'folder', path } : { kind: 'other' };
    } catch (error) {
      const reason = (error as NodeJS.ErrnoException).code ?? String(error);
      return reason === 'ENOENT' || reason === 'ENOTDIR' ? { kind: 'missing' } : { kind: 'unreadable', reason };
    }
  };
  return {
    root,
    looked,
    below,
    find(path) {
      const absolute = isAbsolute(path) ? path : join(root, path);
      let answer = found.get(absolute);
      if (answer === undefined) {
        answer = look(absolute);
        found.set(absolute, answer);
        looked.add(absolute);
      }
      return answer;
    },
    names(path) {
      const folder = join(root, path);
      looked.add(folder);
      try {
        return readdirSync(folder).sort();
      } catch {
        return [];
      }
    },
    read(path) {
      const absolute = join(root, path);
      looked.add(absolute);
      return readSourceText(absolute, LARGEST_FILE);
    },
    note(path) {
      looked.add(path);
    },
  };
}
