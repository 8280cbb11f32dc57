import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { JsonObject } from '../contracts/json.ts';
import type { Problem } from '../contracts/problem.ts';
import { compareCodeUnits } from './compare-code-units.ts';
import { readRegularFile } from './read-regular-file.ts';
import { scanProblem } from './scan-problem.ts';

/** What stands in a folder. `outside`: a link that leads out of the root. */
export interface FolderEntry {
  readonly name: string;
  readonly kind: 'folder' | 'file' | 'broken' | 'outside';
  readonly link: boolean;
}

/** What was read from a file, and what is wrong with it. */
export interface FileContent {
  readonly fields?: JsonObject;
  readonly text?: string;
  readonly problems: readonly Problem[];
}

export interface RememberedFile {
  readonly stamp: string;
  readonly content: FileContent;
}

/** Shared by all roots of one scan. */
export interface ScanState {
  readonly signal: AbortSignal;
  readonly problems: Problem[];
  /** Absolute. */
  readonly folders: string[];
  readonly remembered: ReadonlyMap<string, RememberedFile>;
  readonly files: Map<string, RememberedFile>;
  /** Folders that were looked into since others had their turn. */
  busy: number;
}

/** One root of a scan. Paths are below it, with `/`. */
export interface ScanFiles {
  /** Absolute, links resolved. */
  readonly root: string;
  readonly state: ScanState;
  /** A path as people are shown it, below the project. */
  show(path: string): string;
  real(path: string): string;
  /**
   * What stands in a folder, by name; without names that begin with a dot and `node_modules`. A folder that cannot be
   * read is empty and a problem.
   */
  list(path: string): readonly FolderEntry[];
  /** The names only. */
  names(path: string): readonly string[];
  /** A file that was not changed since it was last read is not read again. */
  read(path: string, parse: (text: string) => FileContent | Promise<FileContent>): Promise<FileContent>;
  /** Lets others have their turn from time to time; rejects when the scan was cancelled. */
  pause(): Promise<void>;
}

/** Bytes of one file that is no code. */
const LARGEST = 1024 * 1024;
/** Folders in one go: about a millisecond. */
const STRETCH = 64;
/** Within this time of a change another one may leave no trace in the file's times. */
const SETTLED_MS = 100n;

/**
 * The folders below `root`, which exists and has no links in its path. `prefix` is put before the paths that people
 * see.
 *
 * Folders are read synchronously: for 500 tools that takes half of the CPU time of any number of parallel reads
 * (5 ms against 10 ms and more), and a pause after every 64 keeps others waiting for about a millisecond only.
 */
export function openScanFiles(root: string, prefix: string, state: ScanState): ScanFiles {
  const show = (path: string) => `${prefix}${path}` || '.';
  const isOutside = (real: string) => real !== root && !real.startsWith(root.endsWith(sep) ? root : root + sep);
  const unreadable = (path: string, reason: string) =>
    scanProblem({
      code: 'UNREADABLE_FILE',
      file: show(path),
      found: reason,
      message: 'scan.unreadable',
      hint: reason === 'ENOENT' ? 'scan.broken-link-hint' : 'scan.unreadable-hint',
      values: { reason },
    });

  const target = (name: string, path: string): FolderEntry => {
    try {
      const real = realpathSync(join(root, path));
      if (isOutside(real)) return { name, kind: 'outside', link: true };
      return { name, kind: statSync(real).isDirectory() ? 'folder' : 'file', link: true };
    } catch {
      return { name, kind: 'broken', link: true };
    }
  };

  return {
    root,
    state,
    show,
    real: (path) => realpathSync(join(root, path)),
    list(path) {
      state.busy++;
      state.folders.push(join(root, path));
      try {
        return readdirSync(join(root, path), { withFileTypes: true })
          .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
          .sort((a, b) => compareCodeUnits(a.name, b.name))
          .map((entry) => {
            if (entry.isSymbolicLink()) return target(entry.name, path === '' ? entry.name : `${path}/${entry.name}`);
            return { name: entry.name, kind: entry.isDirectory() ? 'folder' : 'file', link: false };
          });
      } catch (error) {
        state.problems.push(unreadable(path, reasonOf(error)));
        return [];
      }
    },
    names(path) {
      state.busy++;
      state.folders.push(join(root, path));
      try {
        return readdirSync(join(root, path)).sort(compareCodeUnits);
      } catch (error) {
        state.problems.push(unreadable(path, reasonOf(error)));
        return [];
      }
    },
    async read(path, parse) {
      const absolute = join(root, path);
      try {
        const { stamp, settled } = stampOf(absolute);
        const known = state.remembered.get(absolute);
        if (known?.stamp === stamp) {
          state.files.set(absolute, known);
          return known.content;
        }
        const content = await parse(await readRegularFile(absolute, LARGEST));
        if (settled) state.files.set(absolute, { stamp, content });
        return content;
      } catch (error) {
        const reason = reasonOf(error);
        if (reason !== 'EFBIG') return { problems: [unreadable(path, reason)] };
        const problem = scanProblem({
          code: 'FILE_TOO_LARGE',
          file: show(path),
          expected: `≤ ${LARGEST}`,
          message: 'scan.file-too-large',
          hint: 'scan.file-too-large-hint',
          values: { limit: LARGEST },
        });
        return { problems: [problem] };
      }
    },
    async pause() {
      if (state.busy < STRETCH) return;
      state.busy = 0;
      await setImmediate();
      state.signal.throwIfAborted();
    },
  };
}

/** Taken before the file is read, so that what is written meanwhile shows next time. */
function stampOf(path: string): { readonly stamp: string; readonly settled: boolean } {
  const { size, mtimeNs, ctimeNs, ino, dev } = statSync(path, { bigint: true });
  return {
    stamp: [size, mtimeNs, ctimeNs, ino, dev].join(' '),
    settled: ctimeNs / 1_000_000n + SETTLED_MS < BigInt(Date.now()),
  };
}

function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === undefined) throw error;
  return code;
}
