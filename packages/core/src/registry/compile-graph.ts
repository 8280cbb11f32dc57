import { isAbsolute, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { canonicalJson } from '../contracts/canonical-json.ts';
import { digest } from '../contracts/digest.ts';
import type { ModuleGraph, SourceModule } from '../contracts/module-graph.ts';
import type { Problem } from '../contracts/problem.ts';
import { checkPackages } from './check-packages.ts';
import { compareCodeUnits } from './compare-code-units.ts';
import { compileFiles } from './compile-files.ts';
import type { CompileMemory, RememberedFile } from './compile-memory.ts';
import type { Compilation } from './compiled-file.ts';
import { fileFault } from './file-fault.ts';
import { findMissingExports } from './find-missing-exports.ts';
import { linkFile } from './link-file.ts';
import { createPackageFolders } from './package-folders.ts';
import { asksPackage, createPackageTypes, type PackageTypes, packageProblem } from './package-types.ts';
import type { PackageUse } from './package-use.ts';
import { parseJsonModule } from './parse-json-module.ts';
import { type FoundFile, openProjectFiles, type ProjectFiles } from './project-files.ts';
import type { SourceFile } from './serve-sources.ts';
import type { TransformCache } from './transform-cache.ts';

/** The source files that entries reach, compiled, and what is wrong with them. */
export interface CompiledGraph {
  readonly graph: ModuleGraph;
  readonly problems: readonly Problem[];
  /**
   * Entry as asked for → path of its module in the graph (another one where the entry is a link). An entry that is
   * missing here has a fault itself or reaches a file that has one, so evaluating it would only repeat that fault.
   */
  readonly sound: ReadonlyMap<string, string>;
  /** Absolute paths of everything that was read or looked for, sorted: when none of them changes, nothing does. */
  readonly files: readonly string[];
  /** The packages that modules import, without those that are Node's or this runtime itself. */
  readonly packages: readonly PackageUse[];
  /** For the next compilation only. */
  readonly memory: CompileMemory;
}

export interface CompileOptions {
  /** Folder below which everything lies. */
  readonly root: string;
  /** Paths below the root. */
  readonly entries: readonly string[];
  readonly signal: AbortSignal;
  /** Keeps compiled files beyond this process, once the caller saves it. */
  readonly cache?: TransformCache | undefined;
  /** An earlier result, as a rule for the same root: what did not change since is taken over, module objects included. */
  readonly previous?: CompiledGraph | undefined;
  /** Folders of plugins below the root, absolute or relative to it. The root itself is always one. */
  readonly pluginFolders?: readonly string[] | undefined;
}

/**
 * Compiles everything that the entry files reach through imports of project files, level by level, without bundling:
 * a module that two tools share stays one module. What is hashed is the compiled code, so it is the code that runs.
 * With `cache` and `previous` it does less and gives the same. Rejects only when `root` cannot be read, the compiler
 * does not start, or the signal aborts; faults of authors are problems, all of them at once.
 *
 * @example
 * const first = await compileGraph({ root: '/srv/bot', entries: ['tools/weather/index.ts'], signal });
 * const second = await compileGraph({ root: '/srv/bot', entries: ['tools/weather/index.ts'], signal, previous: first });
 */
export async function compileGraph(options: CompileOptions): Promise<CompiledGraph> {
  const { entries, signal, cache } = options;
  const files = await openProjectFiles(options.root);
  const known = options.previous?.memory;
  const pluginFolders = pluginFoldersOf(options.pluginFolders ?? [], files);
  const types = createPackageTypes(files.note);
  const problems: Problem[] = [];
  const packages: PackageUse[] = [];
  const modules = new Map<string, SourceModule>();
  const remembered = new Map<string, RememberedFile>();
  const unsound = new Set<string>();
  const taken = new Set<string>();

  /** Accepts a file for compilation, once. */
  const take = (file: Extract<FoundFile, { kind: 'file' }>, next: Taken[]): void => {
    if (taken.has(file.path)) return;
    taken.add(file.path);
    const fault = fileFault(file.path, file);
    if (fault === undefined) next.push({ path: file.path, stamp: file.stamp });
    else {
      unsound.add(file.path);
      problems.push(fault);
    }
  };

  const entryPaths = new Map<string, string>();
  let level: Taken[] = [];
  for (const [index, entry] of entries.entries()) {
    await breathe(index, signal);
    const file = files.find(entry);
    if (file.kind === 'file') {
      entryPaths.set(entry, file.path);
      take(file, level);
    } else {
      const fault = fileFault(entry, file);
      if (fault !== undefined) problems.push(fault);
    }
  }

  while (level.length > 0) {
    const next: Taken[] = [];
    const read: ReadFile[] = [];
    for (const [index, one] of level.entries()) {
      await breathe(index, signal);
      const answer = readFile(one, files, types, known?.files.get(one.path));
      if (answer.fault === undefined) read.push(answer.file);
      else {
        unsound.add(one.path);
        problems.push(answer.fault);
      }
    }
    const compilations = await compile(read, cache);
    const linked = read.map((one) => [one, compilations.get(one.source.path) ?? { problems: [] }] as const);
    for (const [, compilation] of linked.toSorted(([a], [b]) => compareCodeUnits(a.source.path, b.source.path))) {
      problems.push(...compilation.problems);
    }
    for (const [index, [{ source, stamp, settled, earlier }, compilation]] of linked.entries()) {
      await breathe(index, signal);
      const { path } = source;
      const { file } = compilation;
      if (file === undefined) {
        unsound.add(path);
        remembered.set(path, { stamp, settled, source, compilation });
        continue;
      }
      const same = earlier?.compilation === compilation ? earlier.module : undefined;
      const { module, targets, ...found } = linkFile(file, { files, pluginFolders, earlier: same });
      modules.set(path, module);
      remembered.set(path, { stamp, settled, source, compilation, module });
      packages.push(...found.packages);
      problems.push(...found.problems);
      if (found.problems.some(({ fatal }) => fatal)) unsound.add(path);
      for (const target of targets) take(target, next);
    }
    level = next;
  }

  const sources = new Map([...remembered].map(([path, { source }]) => [path, source]));
  const exportChecks = await findMissingExports(modules, sources, known?.exportChecks ?? new Map());
  for (const [path, check] of [...exportChecks].sort(([a], [b]) => compareCodeUnits(a, b))) {
    if (check.problems.length > 0) unsound.add(path);
    problems.push(...check.problems);
  }
  for (const [path, fault] of packageFaults(modules, files, types)) {
    unsound.add(path);
    problems.push(fault);
  }
  problems.push(...packageFileFaults(modules, files, types, unsound));

  spread(unsound, modules);
  const sound = new Map([...entryPaths].filter(([, path]) => !unsound.has(path)));
  const sorted = [...modules.values()].sort((a, b) => compareCodeUnits(a.path, b.path));
  const graph: ModuleGraph = {
    digest: digest(canonicalJson([files.root, sorted.map((module) => module.digest)])),
    root: files.root,
    modules: sorted,
  };
  const memory: CompileMemory = { files: remembered, exportChecks };
  return { graph, problems, sound, files: [...files.looked].sort(), packages, memory };
}

interface Taken {
  readonly path: string;
  readonly stamp: string;
}

interface ReadFile {
  readonly source: SourceFile;
  readonly stamp: string;
  readonly settled: boolean;
  /** What is known of this path when its text and kind are the same. */
  readonly earlier?: RememberedFile;
}

/** Files between two moments in which others may run: looking at so many takes a few milliseconds. */
const BREATH = 128;

async function breathe(index: number, signal: AbortSignal): Promise<void> {
  if (index % BREATH !== 0) return;
  if (index > 0) await setImmediate();
  signal.throwIfAborted();
}

function readFile(
  { path, stamp }: Taken,
  files: ProjectFiles,
  types: PackageTypes,
  earlier: RememberedFile | undefined,
): { readonly file: ReadFile; readonly fault?: never } | { readonly file?: never; readonly fault: Problem } {
  const inModulePackage = types.nearest(join(files.root, path)).isModule;
  if (earlier?.settled === true && earlier.stamp === stamp && earlier.source.inModulePackage === inModulePackage) {
    files.note(join(files.root, path));
    return { file: { source: earlier.source, stamp, settled: true, earlier } };
  }
  try {
    const { text, ...seen } = files.read(path);
    if (earlier?.source.text === text && earlier.source.inModulePackage === inModulePackage) {
      return { file: { source: earlier.source, ...seen, earlier } };
    }
    return { file: { source: { path, text, inModulePackage }, ...seen } };
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    const fault = fileFault(path, { kind: 'unreadable', reason });
    if (fault === undefined) throw error;
    return { fault };
  }
}

/** What did not change keeps the very same compilation. */
async function compile(
  read: readonly ReadFile[],
  cache: TransformCache | undefined,
): Promise<ReadonlyMap<string, Compilation>> {
  const compilations = new Map<string, Compilation>();
  const fresh: SourceFile[] = [];
  for (const { source, earlier } of read) {
    const isJson = source.path.endsWith('.json');
    if (earlier !== undefined) {
      compilations.set(source.path, earlier.compilation);
      if (!isJson) cache?.keep(source);
    } else if (isJson) compilations.set(source.path, await parseJsonModule(source.path, source.text));
    else fresh.push(source);
  }
  for (const [path, compilation] of await compileFiles(fresh, cache)) compilations.set(path, compilation);
  return compilations;
}

/** The real paths of folders, as far as they are folders below the root. */
function pluginFoldersOf(folders: readonly string[], files: ProjectFiles): readonly string[] {
  return folders.flatMap((folder) => {
    const found = files.find(isAbsolute(folder) ? folder : join(files.root, folder));
    return found.kind === 'folder' && found.path !== '' ? [found.path] : [];
  });
}

/** Packages that are installed nowhere, with the modules that import them. */
function packageFaults(
  modules: ReadonlyMap<string, SourceModule>,
  files: ProjectFiles,
  types: PackageTypes,
): readonly (readonly [string, Problem])[] {
  const folders = createPackageFolders(files.note);
  return [...modules.values()].flatMap((module) =>
    checkPackages(module, files.root, folders, types).map((problem) => [module.path, problem] as const),
  );
}

/** One problem for each package.json that cannot be read; those whose packages it keeps from being found are unsound. */
function packageFileFaults(
  modules: ReadonlyMap<string, SourceModule>,
  files: ProjectFiles,
  types: PackageTypes,
  unsound: Set<string>,
): Iterable<Problem> {
  const faulty = new Map<string, Problem>();
  for (const module of modules.values()) {
    const { fault } = types.nearest(join(files.root, module.path));
    if (fault === undefined) continue;
    const needed = module.packages.some(asksPackage);
    if (needed) unsound.add(module.path);
    const fatal = needed || faulty.get(fault.path)?.fatal === true;
    faulty.set(fault.path, packageProblem(files.root, fault.path, fault.reason, fatal));
  }
  return faulty.values();
}

/** Whoever imports a faulty module cannot run either. */
function spread(unsound: Set<string>, modules: ReadonlyMap<string, SourceModule>): void {
  const importers = new Map<string, string[]>();
  for (const module of modules.values()) {
    for (const target of Object.values(module.imports)) {
      const known = importers.get(target);
      if (known === undefined) importers.set(target, [module.path]);
      else known.push(module.path);
    }
  }
  const queue = [...unsound];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    for (const importer of importers.get(path) ?? []) {
      if (unsound.has(importer)) continue;
      unsound.add(importer);
      queue.push(importer);
    }
  }
}
