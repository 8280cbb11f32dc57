import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

export interface PackageFolders {
  /**
   * The folder of a package as a file that imports it finds it, links not followed: in the nearest `node_modules` above
   * that file, up to the root of the disk. Whether the package has what is imported is not looked at.
   */
  find(name: string, importer: string): string | undefined;
}

/** Looks every folder up once per load. `note` hears of every place where a package was missed. */
export function createPackageFolders(note: (path: string) => void): PackageFolders {
  const isFolder = new Map<string, boolean>();
  const found = new Map<string, string | undefined>();
  const looksLikeFolder = (path: string): boolean => {
    let answer = isFolder.get(path);
    if (answer === undefined) {
      answer = tryIsFolder(path);
      isFolder.set(path, answer);
    }
    return answer;
  };
  const findFrom = (name: string, folder: string): string | undefined => {
    const key = `${name}\n${folder}`;
    if (found.has(key)) return found.get(key);
    const modules = join(folder, 'node_modules');
    const place = join(modules, name);
    const isHere = basename(folder) !== 'node_modules' && looksLikeFolder(modules) && looksLikeFolder(place);
    const parent = dirname(folder);
    let answer: string | undefined;
    if (isHere) answer = place;
    else if (parent !== folder) answer = findFrom(name, parent);
    found.set(key, answer);
    if (answer === undefined) note(place);
    return answer;
  };
  return { find: (name, importer) => findFrom(name, dirname(importer)) };
}

/** What cannot be looked at may be there: whoever imports it will be told by Node. */
function tryIsFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch (error) {
    return !['ENOENT', 'ENOTDIR', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '');
  }
}
