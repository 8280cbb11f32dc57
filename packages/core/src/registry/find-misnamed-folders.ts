import { nearestNames } from '../contracts/nearest-names.ts';
import { isCodeFile } from './is-code-file.ts';
import type { FolderEntry, ScanFiles } from './scan-files.ts';
import { scanProblem } from './scan-problem.ts';

/** What a folder of each kind holds one level down, by lower-case name. */
const MARKS: ReadonlyMap<string, (name: string) => boolean> = new Map([
  ['tools', isIndex],
  ['prompt-sections', isIndex],
  ['hooks', isIndex],
  ['skills', (name) => name === 'skill.md'],
  ['agents', (name) => name === 'agent.json' || name === 'system.md'],
  ['plugins', (name) => (name.startsWith('plugin.') && isCodeFile(name)) || name === 'package.json'],
]);

/**
 * Reports folders whose names are close to one of `known` and that hold what that one would hold: `tool/`,
 * `promptsections/`, `Skills/`. Another number, case or hyphen is a fault, a mere likeness a warning (`books` is close
 * to `hooks`). Returns how many faults there are.
 */
export function findMisnamedFolders(
  files: ScanFiles,
  folder: string,
  entries: readonly FolderEntry[],
  known: readonly string[],
): number {
  let faults = 0;
  for (const { name, kind } of entries) {
    if (kind !== 'folder' || known.includes(name)) continue;
    const same = known.find((one) => skeleton(one) === skeleton(name));
    const [meant] = same === undefined ? nearestNames(name, known, 1) : [same];
    const path = folder === '' ? name : `${folder}/${name}`;
    if (meant === undefined || !holdsOne(files, path, meant)) continue;
    if (same !== undefined) faults++;
    const file = files.show(path);
    const expected = `${file.slice(0, -name.length)}${meant}`;
    const problem = scanProblem({
      code: 'MISNAMED_FOLDER',
      file,
      found: name,
      expected: meant,
      message: 'scan.misnamed-folder',
      hint: 'scan.misnamed-folder-hint',
      values: { name: meant, folder: expected },
      fatal: same !== undefined,
    });
    files.state.problems.push(problem);
  }
  return faults;
}

function holdsOne(files: ScanFiles, path: string, meant: string): boolean {
  const mark = MARKS.get(meant);
  if (mark === undefined) return false;
  for (const inner of files.list(path).filter(({ kind }) => kind === 'folder')) {
    if (files.names(`${path}/${inner.name}`).some((name) => mark(name.toLowerCase()))) return true;
  }
  return false;
}

function isIndex(name: string): boolean {
  return name.startsWith('index.') && isCodeFile(name);
}

/** Equal for spellings that mean the same: number, case and hyphens left out. */
function skeleton(name: string): string {
  return name
    .toLowerCase()
    .replace(/[-_. ]/g, '')
    .replace(/s$/, '');
}
