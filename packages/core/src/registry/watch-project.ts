import { realpath } from 'node:fs/promises';
import { basename, dirname, extname, relative, sep } from 'node:path';
import type { SourceListener } from '../contracts/capability-source.ts';
import { sourceExtensions } from './source-extensions.ts';

export interface WatchProjectOptions {
  /** The project's folder. */
  readonly root: string;
  /** Folders that are never watched, absolute. */
  readonly unwatched: readonly string[];
  /** Of the newest load; the same object until the next one. */
  readonly looked: () => LookedAt;
  readonly listener: SourceListener;
}

/** What a load looked at. All paths are absolute. */
export interface LookedAt {
  readonly folders: readonly string[];
  readonly files: readonly string[];
  /** Folders of packages that are linked into the project, not installed. */
  readonly linked: readonly string[];
}

/** What package managers write when packages change. */
const LOCKFILES: ReadonlySet<string> = new Set([
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'bun.lockb',
]);

/** Folders and files of a plugin that mean something where they appear. */
const MEANINGFUL: ReadonlySet<string> = new Set([
  'tools',
  'prompt-sections',
  'hooks',
  'skills',
  'agents',
  'plugins',
  'AGENTS.md',
  'package.json',
  ...sourceExtensions.map((extension) => `plugin${extension}`),
]);

const FOLDERS: ReadonlySet<string> = new Set(['tools', 'prompt-sections', 'hooks', 'skills', 'agents', 'plugins']);
const CODE: ReadonlySet<string> = new Set([...sourceExtensions, '.json', '.md']);

/**
 * Watches a project. Only what a load looks at, or would look at if it were there, counts: what tools write beside it
 * costs nothing. Resolves when everything is being watched.
 */
export async function watchProject(options: WatchProjectOptions): Promise<() => Promise<void>> {
  const { unwatched, looked, listener } = options;
  // Loads know files by their real paths.
  const root = await realpath(options.root);
  const { watch } = await import('chokidar');
  let known = looked();
  let files = new Set(known.files);
  let folders = new Set(known.folders);
  const isIgnored = (path: string): boolean => {
    if (unwatched.some((folder) => path === folder || path.startsWith(folder + sep))) return true;
    const bases = [root, ...known.linked];
    const inner = bases.map((folder) => relative(folder, path)).find((one) => !one.startsWith('..')) ?? path;
    return inner.split(sep).some((part) => part === 'node_modules' || (part.startsWith('.') && part.length > 1));
  };
  const watcher = watch([root, ...known.linked], {
    ignored: isIgnored,
    ignoreInitial: true,
    // Editors that write a new file and rename it make one event of it.
    atomic: true,
  });
  const refresh = (): void => {
    const now = looked();
    if (now === known) return;
    const added = now.linked.filter((folder) => !known.linked.includes(folder));
    known = now;
    files = new Set(now.files);
    folders = new Set(now.folders);
    watcher.add([...added]);
  };
  const counts = (path: string): boolean => {
    if (files.has(path) || folders.has(path)) return true;
    if (MEANINGFUL.has(basename(path))) return true;
    // Below a folder for capabilities: code, texts, and folders, which may hold both.
    const folder = dirname(path);
    if (folder === root) return false;
    const parts = relative(root, path).split(sep);
    const isInside = parts.slice(0, -1).some((part) => FOLDERS.has(part)) || folders.has(folder);
    const extension = extname(path);
    return isInside && (extension === '' || CODE.has(extension));
  };
  watcher.on('all', (_event, path) => {
    refresh();
    if (dirname(path) === root && LOCKFILES.has(basename(path))) listener.restartNeeded(path);
    else if (counts(path)) listener.changed(path);
    else if (known.linked.some((linked) => path.startsWith(linked + sep))) listener.restartNeeded(path);
  });
  watcher.on('error', (error) => listener.failed(error instanceof Error ? error.message : String(error)));
  await new Promise<void>((resolve) => {
    watcher.once('ready', () => resolve());
  });
  return () => watcher.close();
}
