import { type BigIntStats, type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';

/** Milliseconds between two looks at the folder itself, which no watcher of what is in it tells about. */
const LOOK_MS = 1_000;

/**
 * Watches by `start` as long as the folder is the same one. One that was moved away and came back, or was replaced, has
 * lost its watchers without a word: they are started anew, and `cameBack` is called, since anything may have changed
 * meanwhile. Resolves when `start` does for the first time; the returned function ends it.
 */
export async function keepWatching(
  folder: string,
  start: () => Promise<() => Promise<void>>,
  cameBack: () => void,
): Promise<() => Promise<void>> {
  let stop = await start();
  let before = await look(folder);
  let isEnded = false;
  let wasMoved = false;
  const above = watchAbove(folder, () => {
    wasMoved = true;
  });
  let looking: Promise<void> = Promise.resolve();
  const check = async (): Promise<void> => {
    const now = await look(folder);
    const isSame = now === undefined || (!wasMoved && before !== undefined && staysWhere(before, now));
    before = now;
    if (isSame) return;
    wasMoved = false;
    await stop();
    stop = await start();
    cameBack();
  };
  const timer = setInterval(() => {
    looking = looking.then(() => (isEnded ? undefined : check())).catch(() => {});
  }, LOOK_MS);
  timer.unref();
  return async () => {
    isEnded = true;
    clearInterval(timer);
    above?.close();
    await looking;
    await stop();
  };
}

/** Hears of moves of the folder where the one above it can be watched; elsewhere its times have to tell. */
function watchAbove(folder: string, moved: () => void): FSWatcher | undefined {
  try {
    const name = basename(folder);
    const watcher = watch(dirname(folder), { persistent: false }, (event, changed) => {
      if (event === 'rename' && changed === name) moved();
    });
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}

/** A move leaves the time of the last change of its entries as it is, and changes that of the folder itself. */
function staysWhere(before: BigIntStats, now: BigIntStats): boolean {
  // Numbers of folders that are gone are given out again.
  if (before.ino !== now.ino || before.dev !== now.dev || before.birthtimeNs !== now.birthtimeNs) return false;
  return before.ctimeNs === now.ctimeNs || before.mtimeNs !== now.mtimeNs;
}

async function look(folder: string): Promise<BigIntStats | undefined> {
  try {
    return await stat(folder, { bigint: true });
  } catch {
    return undefined;
  }
}
