import { realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { createPackageFolders } from './package-folders.ts';
import { packageName } from './package-name.ts';
import type { PackageUse } from './package-use.ts';

/**
 * The folders of those packages that are links into somebody's workspace: their real paths (absolute, sorted) stand
 * below no `node_modules`, so their code may change at any time, and a running process keeps what it loaded.
 *
 * @example
 * linkedPackages('/srv/bot', compiled.packages) // ['/srv/workspace/shared']
 */
export function linkedPackages(root: string, uses: readonly PackageUse[]): readonly string[] {
  const folders = createPackageFolders(() => {});
  const linked = new Set<string>();
  for (const { importer, specifier } of uses) {
    const name = packageName(specifier);
    const folder = name === undefined ? undefined : folders.find(name, join(root, importer));
    const real = folder === undefined ? undefined : realFolder(folder);
    if (real !== undefined && !real.split(sep).includes('node_modules')) linked.add(real);
  }
  return [...linked].sort();
}

function realFolder(folder: string): string | undefined {
  try {
    return realpathSync.native(folder);
  } catch {
    return undefined;
  }
}
