import { realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isPackageName } from './is-package-name.ts';
import { moduleFolders } from './module-folders.ts';

export interface PackageFolder {
  /** Absolute, as it stands in a `node_modules`. */
  readonly folder: string;
  /** Absolute, links resolved. */
  readonly real: string;
  /** The name that its plugin gets. */
  readonly segment: string;
}

const PREFIX = /^(?:baigong-plugin-|zhin-plugin-|plugin-)(?=.)/;

/**
 * Finds an installed package as Node does, by looking into `node_modules` of `root` and of each folder above, without
 * asking what the package exports. Links (pnpm, workspaces) are followed. Its plugin is called by the name without
 * scope and without a leading `baigong-plugin-`, `zhin-plugin-` or `plugin-`; what models do not accept in names becomes `-`.
 *
 * @example
 * findPackage('@acme/baigong-plugin-maps', '/srv/bot')?.segment // 'maps'
 */
export function findPackage(name: string, root: string): PackageFolder | undefined {
  if (!isPackageName(name)) return undefined;
  for (const modules of moduleFolders(root)) {
    const folder = join(modules, name);
    try {
      if (!statSync(folder).isDirectory()) continue;
      return { folder, real: realpathSync(folder), segment: segmentOf(name) };
    } catch {
      // Not here, or a broken link: further up there may be one.
    }
  }
  return undefined;
}

function segmentOf(name: string): string {
  return name
    .replace(/^.*\//, '')
    .replace(PREFIX, '')
    .replace(/[^a-zA-Z0-9_-]/g, '-');
}
