import { dirname } from 'node:path';
import type { SourceListener } from '../contracts/capability-source.ts';

/**
 * Watches files by name, those that do not exist yet included. `files` is asked again whenever something changed.
 * Resolves when everything is being watched; the returned function ends it.
 */
export async function watchFiles(
  files: () => readonly string[],
  listener: Pick<SourceListener, 'changed' | 'failed'>,
): Promise<() => Promise<void>> {
  const { watch } = await import('chokidar');
  let known = files();
  let wanted = new Set(known);
  const foldersOf = (paths: readonly string[]) => [...new Set(paths.map((path) => dirname(path)))];
  // A file that does not exist has no events of its own: its folder has.
  const watcher = watch(foldersOf(known), { depth: 0, ignoreInitial: true, atomic: true });
  watcher.on('all', (_event, path) => {
    const now = files();
    if (now !== known) {
      known = now;
      wanted = new Set(now);
      watcher.add(foldersOf(now));
    }
    if (wanted.has(path)) listener.changed(path);
  });
  watcher.on('error', (error) => listener.failed(error instanceof Error ? error.message : String(error)));
  // A watcher of nothing is never ready.
  if (known.length > 0) {
    await new Promise<void>((resolve) => {
      watcher.once('ready', () => resolve());
    });
  }
  return () => watcher.close();
}
