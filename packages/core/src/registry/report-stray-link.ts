import type { FolderEntry, ScanFiles } from './scan-files.ts';
import { scanProblem } from './scan-problem.ts';

/**
 * Where a folder is expected: reports a link that leads nowhere or out of the root, and a file that bears the name of
 * a folder. Tells whether it did.
 */
export function reportStrayLink(files: ScanFiles, path: string, entry: FolderEntry): boolean {
  if (entry.kind === 'folder') return false;
  const outside = entry.kind === 'outside';
  const reason = entry.kind === 'broken' ? 'ENOENT' : 'ENOTDIR';
  files.state.problems.push(
    outside
      ? scanProblem({
          code: 'LINK_LEAVES_ROOT',
          file: files.show(path),
          message: 'scan.link-leaves-root',
          hint: 'scan.link-leaves-root-hint',
        })
      : scanProblem({
          code: 'UNREADABLE_FILE',
          file: files.show(path),
          found: reason,
          message: 'scan.unreadable',
          hint: reason === 'ENOENT' ? 'scan.broken-link-hint' : 'scan.not-a-folder-hint',
          values: { reason },
        }),
  );
  return true;
}
