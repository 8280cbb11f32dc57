import { reportStrayLink } from './report-stray-link.ts';
import type { FolderEntry, ScanFiles } from './scan-files.ts';
import { scanProblem } from './scan-problem.ts';

/**
 * The path of a file that must bear exactly this name. One whose name differs in case only is taken for it, with a
 * warning, since it works on some machines and not on others. `stray`: there is one, but it is a link that cannot be
 * followed, which is reported.
 */
export function findNamedFile(
  files: ScanFiles,
  folder: string,
  entries: readonly FolderEntry[],
  name: string,
): { readonly path: string } | 'missing' | 'stray' {
  const exact = entries.find((entry) => entry.name === name);
  const entry = exact ?? entries.find((one) => one.kind !== 'folder' && one.name.toLowerCase() === name.toLowerCase());
  if (entry === undefined) return 'missing';
  const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
  if (entry.kind === 'broken' || entry.kind === 'outside') {
    reportStrayLink(files, path, entry);
    return 'stray';
  }
  if (exact === undefined) {
    const problem = scanProblem({
      code: 'WRONG_CASE',
      file: files.show(path),
      found: entry.name,
      expected: name,
      message: 'scan.wrong-case',
      hint: 'scan.wrong-case-hint',
      values: { name },
      fatal: false,
    });
    files.state.problems.push(problem);
  }
  return { path };
}
