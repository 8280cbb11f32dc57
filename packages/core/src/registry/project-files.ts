import { readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { readRegularFile } from './read-regular-file.ts';

/** Bytes of one source file. */
export const LARGEST_FILE = 5 * 1024 * 1024;

/** What stands at a path, links followed. `outside`: a link leads out of the project. */
export type FoundFile =
  | { readonly kind: 'file'; readonly path: string; readonly size: number }
  | { readonly kind: 'folder' | 'other' | 'missing' | 'outside' }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** The files below one folder during one load. Looked up once each, so that one load sees one state. */
export interface ProjectFiles {
  /** Absolute, links resolved. */
  readonly root: string;
  /** `path` is absolute, or relative to the root. A found file's path is the real one, below the root, with `/`. */
  find(path: string): Promise<FoundFile>;
  /** Names in a folder, by code units; empty when it cannot be read. */
  names(path: string): Promise<readonly string[]>;
  /** The text of a regular file of 5 MiB at most, without a byte order mark. */
  read(path: string): Promise<string>;
  /** Path below the root with `/` as separator, or undefined when it is not below the root. */
  below(path: string): string | undefined;
}

/** Rejects with the system's error when the folder does not exist or cannot be read. */
export async function openProjectFiles(folder: string): Promise<ProjectFiles> {
  const root = await realpath(folder);
  const found = new Map<string, Promise<FoundFile>>();
  const below = (path: string): string | undefined => {
    const inner = relative(root, join(isAbsolute(path) ? '' : root, path));
    if (inner === '..' || inner.startsWith(`..${sep}`) || isAbsolute(inner)) return undefined;
    return inner.replaceAll(sep, '/');
  };
  const look = async (path: string): Promise<FoundFile> => {
    try {
      const real = await realpath(path);
      const inner = below(real);
      if (inner === undefined) return { kind: 'outside' };
      const stats = await stat(real);
      if (stats.isFile()) return { kind: 'file', path: inner, size: stats.size };
      return { kind: stats.isDirectory() ? 'folder' : 'other' };
    } catch (error) {
      const reason = (error as NodeJS.ErrnoException).code ?? String(error);
      return reason === 'ENOENT' || reason === 'ENOTDIR' ? { kind: 'missing' } : { kind: 'unreadable', reason };
    }
  };
  return {
    root,
    below,
    find(path) {
      const absolute = isAbsolute(path) ? path : join(root, path);
      let answer = found.get(absolute);
      if (answer === undefined) {
        answer = look(absolute);
        found.set(absolute, answer);
      }
      return answer;
    },
    async names(path) {
      try {
        return (await readdir(join(root, path))).sort();
      } catch {
        return [];
      }
    },
    read(path) {
      return readRegularFile(join(root, path), LARGEST_FILE);
    },
  };
}
