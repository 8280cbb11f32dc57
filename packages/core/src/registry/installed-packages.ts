import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isPackageName } from './is-package-name.ts';
import { moduleFolders } from './module-folders.ts';

/** Names of all packages that code in `root` could import: among them are the neighbours of a mistyped one. */
export function installedPackages(root: string): readonly string[] {
  const names = new Set<string>();
  for (const modules of moduleFolders(root)) {
    for (const name of namesIn(modules)) {
      if (name.startsWith('@')) for (const inner of namesIn(join(modules, name))) names.add(`${name}/${inner}`);
      else names.add(name);
    }
  }
  return [...names].filter(isPackageName).sort();
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith('.'));
  } catch {
    return [];
  }
}
