import { basename, dirname, join } from 'node:path';

/** Where Node looks for packages that files in `folder` import, the nearest first. They need not exist. */
export function moduleFolders(folder: string): readonly string[] {
  const folders: string[] = [];
  for (let one = folder; ; one = dirname(one)) {
    if (basename(one) !== 'node_modules') folders.push(join(one, 'node_modules'));
    if (dirname(one) === one) return folders;
  }
}
