import { join } from 'node:path';
import type { Owner } from '../contracts/capability.ts';
import { checkFolderName } from './check-folder-name.ts';
import { findMisnamedFolders } from './find-misnamed-folders.ts';
import { findNamedFile } from './find-named-file.ts';
import type { FoundCapability } from './project-scan.ts';
import { readSkillFile } from './read-skill-file.ts';
import { reportStrayLink } from './report-stray-link.ts';
import { scanCodeFolders } from './scan-code-folders.ts';
import type { FolderEntry, ScanFiles } from './scan-files.ts';
import { scanProblem } from './scan-problem.ts';

/**
 * The skills of a plugin or an agent, `skills/<name>/SKILL.md`, each followed by its private tools and hooks. `entries`
 * is what stands in `folder`.
 */
export async function scanSkills(
  files: ScanFiles,
  folder: string,
  entries: readonly FolderEntry[],
  owner: Owner,
): Promise<readonly FoundCapability[]> {
  const entry = entries.find(({ name }) => name === 'skills');
  const path = join(folder, 'skills');
  if (entry === undefined || reportStrayLink(files, path, entry)) return [];
  const found: FoundCapability[] = [];
  for (const inner of files.list(path)) {
    if (inner.kind === 'file') continue;
    const place = `${path}/${inner.name}`;
    if (reportStrayLink(files, place, inner)) continue;
    found.push(...(await scanSkill(files, place, inner.name, owner)));
    await files.pause();
  }
  return found;
}

async function scanSkill(
  files: ScanFiles,
  folder: string,
  name: string,
  owner: Owner,
): Promise<readonly FoundCapability[]> {
  const entries = files.list(folder);
  const inside = await scanCodeFolders(files, folder, entries, { ...owner, skill: name });
  findMisnamedFolders(files, folder, entries, ['tools', 'hooks']);
  const file = findNamedFile(files, folder, entries, 'SKILL.md');
  checkFolderName(files, typeof file === 'string' ? folder : file.path, 'skill', owner, name);
  if (file === 'missing') {
    const shown = files.show(folder);
    const problem = scanProblem({
      code: 'MISSING_FILE',
      file: shown,
      expected: `${shown}/SKILL.md`,
      message: 'scan.missing-skill-file',
      hint: 'scan.missing-skill-file-hint',
      values: { name },
    });
    files.state.problems.push(problem);
  }
  // Even without its text it is there: what refers to it is no further fault.
  const base = { kind: 'skill', name, owner, folder } as const;
  if (typeof file === 'string') return [{ ...base, file: `${folder}/SKILL.md` }, ...inside];
  const content = await files.read(file.path, (text) => readSkillFile(text, files.show(file.path), name));
  files.state.problems.push(...content.problems);
  const skill: FoundCapability = {
    ...base,
    file: file.path,
    ...(content.fields === undefined ? {} : { fields: content.fields }),
    ...(content.text === undefined ? {} : { texts: { body: content.text } }),
  };
  return [skill, ...inside];
}
