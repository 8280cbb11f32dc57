import { realpathSync, statSync } from 'node:fs';
import { nearestNames } from '../contracts/nearest-names.ts';
import type { Problem } from '../contracts/problem.ts';
import { showValue } from '../contracts/show-value.ts';
import { checkFolderName } from './check-folder-name.ts';
import { compareCodeUnits } from './compare-code-units.ts';
import { findPackage, type PackageFolder } from './find-package.ts';
import { installedPackages } from './installed-packages.ts';
import { isPackageName } from './is-package-name.ts';
import type { PluginFolder, ProjectScan } from './project-scan.ts';
import { openScanFiles, type ScanState } from './scan-files.ts';
import { isPluginFolder, type PluginCollector, scanPlugin } from './scan-plugin.ts';
import { scanProblem } from './scan-problem.ts';

export interface ScanRequest {
  /** Folder of the project, which is the root plugin. */
  readonly root: string;
  /** Version of `baigong`, which `features` are measured against. */
  readonly version: string;
  /** What the configuration says of plugins, by name (path joined by `__`) or npm name; false = switched off. */
  readonly configured?: ReadonlyMap<string, unknown>;
  /** Names of `configured` that need not exist. */
  readonly optional?: ReadonlySet<string>;
  /** Where `configured` stands, for messages. */
  readonly configFile?: string;
  readonly signal: AbortSignal;
  /** An earlier scan: what did not change since is not read again. */
  readonly previous?: ProjectScan;
}

/**
 * Finds everything that a project declares in folders: its own, those of its child plugins and of the packages that its
 * configuration names. No code is compiled or run. Faults of authors are problems, all of them; it only rejects when
 * the signal aborts.
 *
 * @example
 * const { plugins, problems } = await scanProject({ root: '/srv/bot', version: '1.0.0', signal });
 */
export async function scanProject(request: ScanRequest): Promise<ProjectScan> {
  const { configured = new Map<string, unknown>(), previous, signal } = request;
  signal.throwIfAborted();
  const state: ScanState = {
    signal,
    problems: [],
    folders: [],
    remembered: previous?.files ?? new Map(),
    files: new Map(),
    busy: 0,
  };
  const root = openRoot(request.root, state.problems);
  if (root === undefined) return { plugins: [], problems: state.problems, folders: [], files: state.files };

  const off = new Set<string>();
  const collector: PluginCollector = {
    plugins: [],
    version: request.version,
    entered: new Map([[root, '.']]),
    isOff(name) {
      if (configured.get(name) === false) off.add(name);
      return off.has(name);
    },
  };
  const files = openScanFiles(root, '', state);
  await scanPlugin(files, { path: [], folder: '' }, files.list(''), collector);

  // A name of a child is a child's, whatever is installed.
  const names = [...configured.keys()].sort(compareCodeUnits).filter((name) => !isKnown(name, collector.plugins, off));
  const unknown: string[] = [];
  for (const name of names) {
    const found = findPackage(name, root);
    if (found === undefined) unknown.push(name);
    else if (configured.get(name) !== false) await scanPackage(name, found, request, state, collector);
  }
  for (const name of unknown) {
    if (request.optional?.has(name) === true) continue;
    if (!isKnown(name, collector.plugins, off)) state.problems.push(unknownPlugin(name, request, root, collector));
  }
  state.problems.push(...findNamesakes(collector.plugins));
  return {
    plugins: collector.plugins.toSorted((a, b) => compareCodeUnits(a.path.join('/'), b.path.join('/'))),
    problems: byFile(state.problems),
    folders: [...new Set(state.folders)],
    files: state.files,
  };
}

function openRoot(root: string, problems: Problem[]): string | undefined {
  let reason = 'ENOTDIR';
  try {
    if (statSync(root).isDirectory()) return realpathSync(root);
  } catch (error) {
    reason = (error as NodeJS.ErrnoException).code ?? String(error);
  }
  const missing = reason === 'ENOENT';
  problems.push(
    scanProblem({
      code: missing ? 'ROOT_MISSING' : 'UNREADABLE_FILE',
      file: root,
      found: reason,
      message: missing ? 'scan.root-missing' : 'scan.unreadable',
      hint: 'scan.root-missing-hint',
      values: { reason },
    }),
  );
  return undefined;
}

async function scanPackage(
  name: string,
  { real, segment }: PackageFolder,
  request: ScanRequest,
  state: ScanState,
  collector: PluginCollector,
): Promise<void> {
  const shown = `node_modules/${name}`;
  const before = collector.entered.get(real);
  if (before !== undefined) {
    state.problems.push(
      scanProblem({
        code: 'FOLDER_TWICE',
        file: shown,
        found: before,
        message: 'scan.folder-twice',
        hint: 'scan.package-twice-hint',
        values: { other: before, name },
      }),
    );
    return;
  }
  collector.entered.set(real, shown);
  if (collector.isOff(segment)) return;
  const files = openScanFiles(real, `${shown}/`, state);
  const entries = files.list('');
  if (!isPluginFolder(entries.filter((entry) => entry.name !== 'package.json'))) {
    state.problems.push(
      scanProblem({
        code: 'NO_PLUGIN',
        file: request.configFile ?? shown,
        field: `plugins.${name}`,
        found: shown,
        expected: `${shown}/plugin.ts`,
        message: 'scan.package-no-plugin',
        hint: 'scan.package-no-plugin-hint',
        values: { name },
      }),
    );
  }
  checkFolderName(files, 'package.json', undefined, { plugin: [] }, segment);
  await scanPlugin(files, { path: [segment], folder: '', package: name }, entries, collector);
}

/** Is it the name of a plugin that there is, or that would be there if it or one above were not switched off? */
function isKnown(name: string, plugins: readonly PluginFolder[], off: ReadonlySet<string>): boolean {
  if (off.has(name) || [...off].some((one) => name.startsWith(`${one}__`))) return true;
  return plugins.some((plugin) => plugin.path.length > 0 && plugin.name === name);
}

function unknownPlugin(name: string, request: ScanRequest, root: string, collector: PluginCollector): Problem {
  const plugins = collector.plugins.flatMap((plugin) => (plugin.path.length > 0 ? [plugin.name] : []));
  const [near] = nearestNames(name, [...plugins, ...installedPackages(root)], 1);
  const hint = isPackageName(name) ? 'scan.unknown-plugin-hint' : 'scan.unknown-child-hint';
  return scanProblem({
    code: 'UNKNOWN_PLUGIN',
    file: request.configFile ?? 'baigong.config',
    field: `plugins.${name}`,
    found: showValue(name),
    ...(near === undefined ? {} : { expected: showValue(near) }),
    message: 'scan.unknown-plugin',
    hint: near === undefined ? hint : 'scan.unknown-plugin-near-hint',
    values: { name, near: near ?? '' },
  });
}

/** Plugins whose names are equal: two folders that only group may hold one name, and a package that of a folder. */
function findNamesakes(plugins: readonly PluginFolder[]): readonly Problem[] {
  const places = new Map<string, string[]>();
  for (const plugin of plugins) {
    const inPackage = plugin.package === undefined ? [] : ['node_modules', plugin.package];
    const place = [...inPackage, plugin.folder].filter((part) => part !== '').join('/');
    const others = places.get(plugin.name);
    if (others === undefined) places.set(plugin.name, [place]);
    else others.push(place);
  }
  return [...places].flatMap(([name, folders]) => {
    const [file] = folders;
    if (file === undefined || folders.length === 1) return [];
    const found = folders.join(', ');
    return scanProblem({
      code: 'DUPLICATE_PLUGIN',
      file,
      field: 'name',
      found,
      message: 'scan.duplicate-plugin',
      hint: 'scan.duplicate-plugin-hint',
      values: { name, places: found },
    });
  });
}

function byFile(problems: readonly Problem[]): readonly Problem[] {
  const fileOf = (problem: Problem) => (problem.file ?? '').replace(/(?::\d+){1,2}$/, '');
  return problems.toSorted((a, b) => compareCodeUnits(fileOf(a), fileOf(b)));
}
