import { extname, join } from 'node:path';
import { checkFolderName } from './check-folder-name.ts';
import { findMisnamedFolders } from './find-misnamed-folders.ts';
import { findNamedFile } from './find-named-file.ts';
import { isCodeFile } from './is-code-file.ts';
import type { FoundCapability, PluginFolder } from './project-scan.ts';
import { readFeatures } from './read-features.ts';
import { reportStrayLink } from './report-stray-link.ts';
import { scanAgents } from './scan-agents.ts';
import { scanCodeFolders } from './scan-code-folders.ts';
import type { FolderEntry, ScanFiles } from './scan-files.ts';
import { scanProblem } from './scan-problem.ts';
import { scanSkills } from './scan-skills.ts';
import { sourceExtensions } from './source-extensions.ts';

/** What one scan gathers of plugins. */
export interface PluginCollector {
  readonly plugins: PluginFolder[];
  /** Version of `baigong`, which features are measured against. */
  readonly version: string;
  /** Is a plugin, by its path joined by `__`, switched off? Called once for each that is found. */
  isOff(name: string): boolean;
  /** Folders that were entered, by their real paths: the path that people saw first. */
  readonly entered: Map<string, string>;
}

export interface PluginPlace {
  readonly path: readonly string[];
  /** Below the root of `files`; empty = the root. */
  readonly folder: string;
  /** npm name of the package that it came in. */
  readonly package?: string;
}

const CAPABILITY_FOLDERS: readonly string[] = ['tools', 'prompt-sections', 'hooks', 'skills', 'agents'];
const ENTRY_NAMES: readonly string[] = sourceExtensions.map((extension) => `plugin${extension}`);
/** Plugins in plugins, and folders that only group in one another. */
const DEEPEST = 8;

/** One plugin and those below it. `entries` is what stands in its folder. */
export async function scanPlugin(
  files: ScanFiles,
  place: PluginPlace,
  entries: readonly FolderEntry[],
  collector: PluginCollector,
): Promise<void> {
  const { path, folder } = place;
  const owner = { plugin: path };
  const found: FoundCapability[] = [
    ...(await scanCodeFolders(files, folder, entries, owner)),
    ...(await scanSkills(files, folder, entries, owner)),
    ...(await scanAgents(files, folder, entries, owner)),
  ];
  const entry = findEntry(files, folder, entries);
  const rules = await readRules(files, folder, entries);
  collector.plugins.push({
    path,
    name: path.join('__'),
    root: files.root,
    folder,
    ...(place.package === undefined ? {} : { package: place.package }),
    ...(entry === undefined ? {} : { entry }),
    ...(rules === undefined ? {} : { rules }),
    found,
  });
  findMisnamedFolders(files, folder, entries, [...CAPABILITY_FOLDERS, 'plugins']);
  await checkFeatures(files, folder, entries, collector.version);

  const children = entries.find(({ name }) => name === 'plugins');
  const below = join(folder, 'plugins');
  if (children === undefined || reportStrayLink(files, below, children)) return;
  if (enter(files, below, collector)) await scanChildren(files, below, place, 0, collector);
}

/** Does a folder hold what makes it a plugin, and not one that only groups others? */
export function isPluginFolder(entries: readonly FolderEntry[]): boolean {
  return entries.some(({ name, kind }) =>
    kind === 'folder' ? CAPABILITY_FOLDERS.includes(name) : name === 'package.json' || ENTRY_NAMES.includes(name),
  );
}

/** What a folder that only groups turned out to hold. */
interface Group {
  readonly plugins: number;
  readonly code: boolean;
}

async function scanChildren(
  files: ScanFiles,
  folder: string,
  parent: PluginPlace,
  depth: number,
  collector: PluginCollector,
  entries = files.list(folder),
): Promise<Group> {
  const { path } = parent;
  let plugins = 0;
  let code = false;
  for (const entry of entries) {
    const place = `${folder}/${entry.name}`;
    if (entry.kind === 'file') {
      code ||= isCodeFile(entry.name);
      if (depth === 0 && isCodeFile(entry.name)) reportMisplaced(files, place);
      continue;
    }
    if (reportStrayLink(files, place, entry) || !enter(files, place, collector)) continue;
    if (depth >= DEEPEST || path.length >= DEEPEST) {
      reportTooDeep(files, place);
      continue;
    }
    await files.pause();
    const inner = files.list(place);
    if (isPluginFolder(inner)) {
      plugins++;
      const child = [...path, entry.name];
      if (collector.isOff(child.join('__'))) continue;
      checkFolderName(files, place, undefined, { plugin: path }, entry.name);
      await scanPlugin(files, { ...parent, path: child, folder: place }, inner, collector);
      continue;
    }
    const misnamed = findMisnamedFolders(files, place, inner, CAPABILITY_FOLDERS);
    const group = await scanChildren(files, place, parent, depth + 1, collector, inner);
    plugins += group.plugins + misnamed;
    code ||= group.code;
    if (depth === 0 && group.plugins + misnamed === 0 && group.code) reportNoPlugin(files, place);
  }
  return { plugins, code };
}

/** Each folder is entered once, so that links in circles end. */
function enter(files: ScanFiles, folder: string, collector: PluginCollector): boolean {
  const real = files.real(folder);
  const before = collector.entered.get(real);
  if (before === undefined) {
    collector.entered.set(real, files.show(folder));
    return true;
  }
  const problem = scanProblem({
    code: 'FOLDER_TWICE',
    file: files.show(folder),
    found: before,
    message: 'scan.folder-twice',
    hint: 'scan.folder-twice-hint',
    values: { other: before },
  });
  files.state.problems.push(problem);
  return false;
}

function findEntry(files: ScanFiles, folder: string, entries: readonly FolderEntry[]): string | undefined {
  const candidates = ENTRY_NAMES.flatMap((name) => entries.filter((entry) => entry.name === name));
  const [first] = candidates;
  if (first === undefined) return undefined;
  const path = join(folder, first.name);
  if (candidates.length === 1) {
    if (first.kind === 'file') return path;
    if (first.kind !== 'folder') reportStrayLink(files, path, first);
    return undefined;
  }
  const names = candidates.map(({ name }) => name).join(', ');
  const problem = scanProblem({
    code: 'AMBIGUOUS_ENTRY',
    file: files.show(folder),
    found: names,
    expected: files.show(path),
    message: 'scan.ambiguous-entry',
    hint: 'scan.ambiguous-hint',
    values: { files: names },
  });
  files.state.problems.push(problem);
  return undefined;
}

async function readRules(
  files: ScanFiles,
  folder: string,
  entries: readonly FolderEntry[],
): Promise<string | undefined> {
  const file = findNamedFile(files, folder, entries, 'AGENTS.md');
  if (typeof file === 'string') return undefined;
  const { text, problems } = await files.read(file.path, (text) => ({ text, problems: [] }));
  files.state.problems.push(...problems);
  return text;
}

async function checkFeatures(
  files: ScanFiles,
  folder: string,
  entries: readonly FolderEntry[],
  version: string,
): Promise<void> {
  if (!entries.some(({ name, kind }) => name === 'package.json' && kind === 'file')) return;
  const path = join(folder, 'package.json');
  // One that cannot be read is a problem of whoever looks for packages.
  const { text } = await files.read(path, (text) => ({ text, problems: [] }));
  if (text !== undefined) files.state.problems.push(...(await readFeatures(text, files.show(path), version)));
}

function reportMisplaced(files: ScanFiles, path: string): void {
  const file = files.show(path);
  const folder = file.slice(0, -extname(file).length);
  const problem = scanProblem({
    code: 'MISPLACED_FILE',
    file,
    found: file,
    expected: `${folder}/plugin.ts`,
    message: 'scan.misplaced-file',
    hint: 'scan.misplaced-plugin-hint',
    values: { parent: 'plugins', folder },
  });
  files.state.problems.push(problem);
}

function reportTooDeep(files: ScanFiles, path: string): void {
  const problem = scanProblem({
    code: 'TOO_DEEP',
    file: files.show(path),
    expected: `≤ ${DEEPEST}`,
    message: 'scan.too-deep',
    hint: 'scan.too-deep-hint',
    values: { limit: DEEPEST },
    fatal: false,
  });
  files.state.problems.push(problem);
}

function reportNoPlugin(files: ScanFiles, path: string): void {
  const folder = files.show(path);
  const problem = scanProblem({
    code: 'NO_PLUGIN',
    file: folder,
    expected: `${folder}/plugin.ts`,
    message: 'scan.no-plugin',
    hint: 'scan.no-plugin-hint',
    values: { folder },
  });
  files.state.problems.push(problem);
}
