import { join } from 'node:path';
import type { Owner } from '../contracts/capability.ts';
import { checkFolderName } from './check-folder-name.ts';
import { findMisnamedFolders } from './find-misnamed-folders.ts';
import type { FoundCapability } from './project-scan.ts';
import { readAgentFolder } from './read-agent-folder.ts';
import { reportStrayLink } from './report-stray-link.ts';
import { scanCodeFolders } from './scan-code-folders.ts';
import type { FolderEntry, ScanFiles } from './scan-files.ts';
import { scanSkills } from './scan-skills.ts';

/**
 * The agents of a plugin, `agents/<name>/`, each followed by its private tools, hooks and skills. `entries` is what
 * stands in `folder`.
 */
export async function scanAgents(
  files: ScanFiles,
  folder: string,
  entries: readonly FolderEntry[],
  owner: Owner,
): Promise<readonly FoundCapability[]> {
  const entry = entries.find(({ name }) => name === 'agents');
  const path = join(folder, 'agents');
  if (entry === undefined || reportStrayLink(files, path, entry)) return [];
  const found: FoundCapability[] = [];
  for (const { name, ...inner } of files.list(path)) {
    if (inner.kind === 'file') continue;
    const place = `${path}/${name}`;
    if (reportStrayLink(files, place, { name, ...inner })) continue;
    const parts = files.list(place);
    const agent = await readAgentFolder(files, place, parts);
    checkFolderName(files, agent.file, 'agent', owner, name);
    const inside = { ...owner, agent: name };
    found.push({ kind: 'agent', name, owner, folder: place, ...agent });
    found.push(...(await scanCodeFolders(files, place, parts, inside)));
    found.push(...(await scanSkills(files, place, parts, inside)));
    findMisnamedFolders(files, place, parts, ['tools', 'skills', 'hooks']);
    await files.pause();
  }
  return found;
}
