import { basename, extname } from 'node:path';
import type { CapabilityKind, Owner } from '../contracts/capability.ts';
import { showText } from '../contracts/show-text.ts';
import { showValue } from '../contracts/show-value.ts';
import { checkFolderName } from './check-folder-name.ts';
import { isCodeFile } from './is-code-file.ts';
import type { FoundCapability } from './project-scan.ts';
import { reportStrayLink } from './report-stray-link.ts';
import type { FolderEntry, ScanFiles } from './scan-files.ts';
import { scanProblem } from './scan-problem.ts';
import { sourceExtensions } from './source-extensions.ts';

const KINDS: readonly (readonly [folder: string, kind: CapabilityKind])[] = [
  ['tools', 'tool'],
  ['prompt-sections', 'prompt-section'],
  ['hooks', 'hook'],
];
const INDEX_NAMES: readonly string[] = sourceExtensions.map((extension) => `index${extension}`);

/**
 * The tools, prompt sections and hooks of one plugin, agent or skill, each `<kind>/<name>/index.{ts,…}`. `entries` is
 * what stands in `folder`. Everything in these folders that holds code and is none of them is a problem.
 */
export async function scanCodeFolders(
  files: ScanFiles,
  folder: string,
  entries: readonly FolderEntry[],
  owner: Owner,
): Promise<readonly FoundCapability[]> {
  const found: FoundCapability[] = [];
  const isPublic = owner.agent === undefined && owner.skill === undefined;
  for (const [name, kind] of KINDS) {
    const entry = entries.find((one) => one.name === name);
    if (entry === undefined || (kind === 'prompt-section' && !isPublic)) continue;
    const path = folder === '' ? name : `${folder}/${name}`;
    if (reportStrayLink(files, path, entry)) continue;
    for (const inner of files.list(path)) {
      const place = `${path}/${inner.name}`;
      if (inner.kind === 'file') {
        if (isCodeFile(inner.name)) reportMisplaced(files, place, name);
        continue;
      }
      if (reportStrayLink(files, place, inner)) continue;
      const index = findIndex(files, place);
      checkFolderName(files, index ?? place, kind, owner, inner.name);
      if (index !== undefined) found.push({ kind, name: inner.name, owner, folder: place, file: index, entry: index });
      await files.pause();
    }
  }
  return found;
}

function findIndex(files: ScanFiles, folder: string): string | undefined {
  const before = files.state.problems.length;
  const names = files.names(folder);
  if (files.state.problems.length > before) return undefined;
  const indexes = INDEX_NAMES.filter((index) => names.includes(index));
  const [index] = indexes;
  if (index !== undefined && indexes.length === 1) return `${folder}/${index}`;
  const shown = files.show(folder);
  if (index !== undefined) {
    const problem = scanProblem({
      code: 'AMBIGUOUS_INDEX',
      file: shown,
      found: indexes.join(', '),
      expected: `${shown}/${index}`,
      message: 'scan.ambiguous-index',
      hint: 'scan.ambiguous-hint',
      values: { files: indexes.join(', ') },
    });
    files.state.problems.push(problem);
    return undefined;
  }
  const code = names.filter(isCodeFile);
  const problem = scanProblem({
    code: 'MISSING_INDEX',
    file: shown,
    found: showValue(code.length > 0 ? code : names).slice(1, -1) || '[]',
    expected: `${shown}/index.ts`,
    message: 'scan.missing-index',
    hint: 'scan.missing-index-hint',
  });
  files.state.problems.push(problem);
  return undefined;
}

function reportMisplaced(files: ScanFiles, path: string, parent: string): void {
  const file = files.show(path);
  const folder = file.slice(0, -extname(file).length);
  const problem = scanProblem({
    code: 'MISPLACED_FILE',
    file,
    found: showText(basename(file)),
    expected: `${folder}/index.ts`,
    message: 'scan.misplaced-file',
    hint: 'scan.misplaced-file-hint',
    values: { parent, folder },
  });
  files.state.problems.push(problem);
}
