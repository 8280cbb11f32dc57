import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Problem } from '../contracts/problem.ts';
import type { Compilation, CompiledFile } from './compiled-file.ts';
import type { SourceFile } from './serve-sources.ts';
import { createTransformKeys } from './transform-keys.ts';
import { TransformPack } from './transform-pack.ts';

/**
 * Compiled sources that outlive the process. It never fails: what cannot be read or written is as if it were not.
 * Between two `save`s it holds what one load of a project asks for and adds.
 */
export interface TransformCache {
  /** What compiling this source gave before, warnings included. The file is read at the first question. */
  find(source: SourceFile): Promise<Compilation | undefined>;
  /** Keeps what compiled; what has faults is compiled anew each time. */
  add(source: SourceFile, compilation: Compilation): void;
  /** Says that a source is still in use although nobody had to ask. */
  keep(source: SourceFile): void;
  /**
   * Ends a load: writes the file when something was added, and lets go of the memory. Never rejects. Of several
   * processes that write at once one wins.
   */
  save(): Promise<void>;
}

const PACK = 'transforms.pack';
const TEMPORARY = /^transforms-.*\.tmp$/;
/** Age in milliseconds at which a temporary file was surely left by a process that is no more. */
const ABANDONED_MS = 10 * 60 * 1000;
/** Bytes of a pack. */
const LARGEST = 64 * 1024 * 1024;
/** How many writes an entry outlives that nobody asks for: long enough for going back and forth between branches. */
const KEEP_UNUSED = 32;

/**
 * A cache in a folder of its own, which is made on the first write with mode 0700. Its one file holds code that will be
 * run: one that belongs to another user, or that others may write, is ignored.
 *
 * @example
 * const cache = openTransformCache('/srv/bot/.baigong/cache');
 * await compileGraph({ root: '/srv/bot', entries, signal, cache });
 * await cache.save();
 */
export function openTransformCache(folder: string): TransformCache {
  const keyOf = createTransformKeys();
  let load = emptyLoad();
  const packOf = (one: Load): Promise<TransformPack> => {
    one.pack ??= readPack(join(folder, PACK));
    return one.pack;
  };
  return {
    async find(source) {
      const key = keyOf?.(source);
      if (key === undefined) return undefined;
      load.used.add(key);
      const stored = load.added.get(key) ?? (await packOf(load)).get(key);
      return stored === undefined ? undefined : readStored(source.path, stored);
    },
    add(source, { file, problems }) {
      const key = keyOf?.(source);
      if (key === undefined || file === undefined) return;
      const { format, code, sourceMap, specifiers, dynamicOnly } = file;
      const stored: Stored = { format, code, sourceMap, specifiers, dynamicOnly: [...dynamicOnly], problems };
      load.used.add(key);
      load.added.set(key, JSON.stringify(stored));
    },
    keep(source) {
      load.kept.push(source);
    },
    async save() {
      const ended = load;
      load = emptyLoad();
      if (keyOf === undefined || ended.added.size === 0) return;
      const pack = await packOf(ended);
      for (const [key, stored] of ended.added) pack.set(key, stored);
      for (const source of ended.kept) ended.used.add(keyOf(source));
      await writePack(folder, pack.format(ended.used, { keepUnused: KEEP_UNUSED, atMost: LARGEST }));
    },
  };
}

interface Load {
  pack?: Promise<TransformPack>;
  readonly used: Set<string>;
  /** In use; their keys are only worth computing when there is something to write. */
  readonly kept: SourceFile[];
  readonly added: Map<string, string>;
}

function emptyLoad(): Load {
  return { used: new Set(), kept: [], added: new Map() };
}

interface Stored extends Pick<CompiledFile, 'code' | 'specifiers'> {
  readonly format: string;
  readonly sourceMap: string | undefined;
  readonly dynamicOnly: readonly string[];
  readonly problems: readonly Problem[];
}

function readStored(path: string, stored: string): Compilation | undefined {
  try {
    const { format, code, sourceMap, specifiers, dynamicOnly, problems } = JSON.parse(stored) as Stored;
    if (format !== 'esm' && format !== 'cjs') return undefined;
    if (typeof code !== 'string' || typeof sourceMap !== 'string') return undefined;
    if (![specifiers, dynamicOnly, problems].every(Array.isArray)) return undefined;
    return { file: { path, format, code, sourceMap, specifiers, dynamicOnly: new Set(dynamicOnly) }, problems };
  } catch {
    return undefined;
  }
}

async function readPack(path: string): Promise<TransformPack> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      const stats = await file.stat();
      const isOurs = process.getuid === undefined || (stats.uid === process.getuid() && (stats.mode & 0o022) === 0);
      if (!stats.isFile() || !isOurs || stats.size > LARGEST) return new TransformPack();
      return TransformPack.parse(await file.readFile());
    } finally {
      await file.close();
    }
  } catch {
    return new TransformPack();
  }
}

/** Nobody ever sees half a pack: it is written beside the old one and takes its place whole. */
async function writePack(folder: string, bytes: Buffer): Promise<void> {
  const temporary = join(folder, `transforms-${randomUUID()}.tmp`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await removeAbandoned(folder);
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
    } finally {
      await file.close();
    }
    await rename(temporary, join(folder, PACK));
  } catch {
    await rm(temporary, { force: true }).catch(() => {});
  }
}

async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!TEMPORARY.test(name)) continue;
    const path = join(folder, name);
    const stats = await stat(path).catch(() => undefined);
    if (stats !== undefined && Date.now() - stats.mtimeMs > ABANDONED_MS) await rm(path, { force: true });
  }
}
