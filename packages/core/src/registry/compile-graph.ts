import { join } from 'node:path';
import { canonicalJson } from '../contracts/canonical-json.ts';
import { digest } from '../contracts/digest.ts';
import type { ModuleGraph, SourceModule } from '../contracts/module-graph.ts';
import type { Problem } from '../contracts/problem.ts';
import { text } from '../contracts/texts/text.ts';
import { compareCodeUnits } from './compare-code-units.ts';
import { type CompiledFile, compileFiles } from './compile-files.ts';
import { findMissingExports } from './find-missing-exports.ts';
import { asksPackage, createPackageTypes, packageProblem } from './package-types.ts';
import { parseJsonModule } from './parse-json-module.ts';
import { type FoundFile, LARGEST_FILE, openProjectFiles, type ProjectFiles } from './project-files.ts';
import { type ResolvedImport, resolveImport } from './resolve-import.ts';
import type { SourceFile } from './serve-sources.ts';
import { showText } from '../contracts/show-text.ts';
import { showValue } from '../contracts/show-value.ts';

/** The source files that entries reach, compiled, and what is wrong with them. */
export interface CompiledGraph {
  readonly graph: ModuleGraph;
  readonly problems: readonly Problem[];
  /**
   * Entry as asked for → path of its module in the graph (another one where the entry is a link). An entry that is
   * missing here has a fault itself or reaches a file that has one, so evaluating it would only repeat that fault.
   */
  readonly sound: ReadonlyMap<string, string>;
}

/**
 * Compiles everything that the entry files reach through imports of project files, level by level, without bundling:
 * a module that two tools share stays one module. What is hashed is the compiled code, so it is the code that runs.
 * Entries are paths below `root`. Rejects only when `root` cannot be read, the compiler does not start, or the signal
 * aborts; faults of authors are problems, all of them at once.
 *
 * @example
 * const { graph, problems } = await compileGraph('/srv/bot', ['tools/weather/index.ts'], signal);
 */
export async function compileGraph(
  root: string,
  entries: readonly string[],
  signal: AbortSignal,
): Promise<CompiledGraph> {
  const files = await openProjectFiles(root);
  const problems: Problem[] = [];
  const modules = new Map<string, SourceModule>();
  const unsound = new Set<string>();
  const taken = new Set<string>();
  const packageTypes = createPackageTypes();
  const sources = new Map<string, SourceFile>();

  /** Accepts a file for compilation, once. */
  const take = (file: Extract<FoundFile, { kind: 'file' }>, next: string[]): void => {
    if (taken.has(file.path)) return;
    taken.add(file.path);
    if (file.size <= LARGEST_FILE) {
      next.push(file.path);
      return;
    }
    unsound.add(file.path);
    problems.push(tooLarge(file.path, file.size));
  };

  const readSource = async (path: string) => {
    try {
      const [text, { isModule }] = await Promise.all([files.read(path), packageTypes.nearest(join(files.root, path))]);
      return { path, source: { path, text, inModulePackage: isModule } };
    } catch (error) {
      return { path, reason: (error as NodeJS.ErrnoException).code ?? String(error) };
    }
  };

  const entryPaths = new Map<string, string>();
  let level: string[] = [];
  const found = await Promise.all(entries.map(async (entry) => [entry, await files.find(entry)] as const));
  for (const [entry, file] of found) {
    if (file.kind === 'file') {
      entryPaths.set(entry, file.path);
      take(file, level);
    } else problems.push(entryFault(entry, file));
  }

  while (level.length > 0) {
    signal.throwIfAborted();
    const next: string[] = [];
    const read: SourceFile[] = [];
    const paths = level.filter((path) => !path.endsWith('.json'));
    for (let first = 0; first < paths.length; first += OPEN_FILES) {
      const batch = paths.slice(first, first + OPEN_FILES);
      for (const { path, source, reason } of await Promise.all(batch.map((path) => readSource(path)))) {
        if (source !== undefined) read.push(source);
        else {
          unsound.add(path);
          problems.push(unreadable(path, reason));
        }
      }
    }
    const compiled = await compileFiles(read);
    for (const source of read) sources.set(source.path, source);
    problems.push(...compiled.problems);
    for (const path of compiled.broken) unsound.add(path);
    for (const path of level.filter((one) => one.endsWith('.json'))) {
      const parsed = await parseJsonModule(path, files);
      if (parsed.problem === undefined) modules.set(path, parsed.module);
      else {
        unsound.add(path);
        problems.push(parsed.problem);
      }
    }
    for (const { module, targets, faults } of await Promise.all(compiled.files.map((file) => link(file, files)))) {
      modules.set(module.path, module);
      if (faults.length > 0) unsound.add(module.path);
      problems.push(...faults);
      for (const target of targets) take(target, next);
    }
    level = next;
  }

  for (const { importer, problem } of await findMissingExports(modules, sources)) {
    unsound.add(importer);
    problems.push(problem);
  }
  const faultyPackages = new Map<string, Problem>();
  for (const module of modules.values()) {
    const { fault } = await packageTypes.nearest(join(files.root, module.path));
    if (fault === undefined) continue;
    const needed = module.packages.some(asksPackage);
    if (needed) unsound.add(module.path);
    const known = faultyPackages.get(fault.path);
    const fatal = needed || known?.fatal === true;
    faultyPackages.set(fault.path, packageProblem(files.root, fault.path, fault.reason, fatal));
  }
  problems.push(...faultyPackages.values());

  spread(unsound, modules);
  const sound = new Map([...entryPaths].filter(([, path]) => !unsound.has(path)));
  const sorted = [...modules.values()].sort((a, b) => compareCodeUnits(a.path, b.path));
  const graph: ModuleGraph = {
    digest: digest(canonicalJson(sorted.map((one) => [one.path, digest(one.code), one.imports]))),
    root: files.root,
    modules: sorted,
  };
  return { graph, problems, sound };
}

/** Files that are read at the same time. */
const OPEN_FILES = 64;

const IMPORTABLE = '.ts | .mts | .cts | .js | .mjs | .cjs | .json';

/** The system's names for what stands where a file should, which need no translation. */
const ENTRY_FAULTS = { folder: 'EISDIR', other: 'EINVAL', missing: 'ENOENT', outside: '../…' } as const;

interface Linked {
  readonly module: SourceModule;
  readonly targets: readonly Extract<FoundFile, { kind: 'file' }>[];
  readonly faults: readonly Problem[];
}

/** Looks up what a compiled file imports. */
async function link(file: CompiledFile, files: ProjectFiles): Promise<Linked> {
  const imports: [string, string][] = [];
  const packages: string[] = [];
  const targets: Extract<FoundFile, { kind: 'file' }>[] = [];
  const faults: Problem[] = [];
  for (const specifier of file.specifiers) {
    const resolved = await resolveImport(specifier, file.path, files);
    if (resolved.kind === 'own') {
      imports.push([specifier, resolved.file.path]);
      targets.push(resolved.file);
    } else if (resolved.kind === 'package') {
      if (!file.dynamicOnly.has(specifier)) packages.push(specifier);
    } else faults.push(importFault(file.path, specifier, resolved));
  }
  const { path, format, code, sourceMap } = file;
  return { module: { path, format, code, sourceMap, imports: Object.fromEntries(imports), packages }, targets, faults };
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

function unreadable(path: string, reason: string): Problem {
  const file = showText(path);
  const message = text('registry.unreadable-file', { file, reason });
  return { code: 'UNREADABLE_FILE', file, found: reason, message, fatal: true };
}

function tooLarge(path: string, size: number): Problem {
  const file = showText(path);
  return {
    code: 'FILE_TOO_LARGE',
    file,
    found: `${size} B`,
    expected: `≤ ${LARGEST_FILE} B`,
    message: text('registry.file-too-large', { file, size, limit: LARGEST_FILE }),
    hint: text('registry.file-too-large-hint'),
    fatal: true,
  };
}

function entryFault(entry: string, found: Exclude<FoundFile, { kind: 'file' }>): Problem {
  const file = showText(entry);
  const reason = found.kind === 'unreadable' ? found.reason : ENTRY_FAULTS[found.kind];
  return {
    code: found.kind === 'outside' ? 'IMPORT_LEAVES_ROOT' : 'UNREADABLE_FILE',
    file,
    found: reason,
    message:
      found.kind === 'outside'
        ? text('registry.entry-leaves-root', { file })
        : text('registry.unreadable-file', { file, reason }),
    fatal: true,
  };
}

function importFault(
  path: string,
  specifier: string,
  resolved: Exclude<ResolvedImport, { kind: 'own' | 'package' }>,
): Problem {
  const file = showText(path);
  const found = showValue(specifier);
  const base = { file, field: 'import', found, fatal: true } as const;
  switch (resolved.kind) {
    case 'unresolved':
      return {
        ...base,
        code: 'UNRESOLVED_IMPORT',
        expected: resolved.nearest === undefined ? IMPORTABLE : showValue(resolved.nearest),
        message: text('registry.unresolved-import', { file, specifier: found }),
        hint:
          resolved.nearest === undefined
            ? text('registry.unresolved-import-hint')
            : text('registry.did-you-mean', { name: showValue(resolved.nearest) }),
      };
    case 'leaves-root':
      return {
        ...base,
        code: 'IMPORT_LEAVES_ROOT',
        message: text('registry.import-leaves-root', { file, specifier: found }),
        hint: text('registry.import-leaves-root-hint'),
      };
    case 'unsupported':
      return {
        ...base,
        code: 'UNSUPPORTED_IMPORT',
        expected: IMPORTABLE,
        message: text('registry.unsupported-import', { file, specifier: found }),
        hint: text('registry.unsupported-import-hint'),
      };
    case 'unreadable':
      return {
        ...base,
        code: 'UNREADABLE_FILE',
        message: text('registry.unreadable-import', { file, specifier: found, reason: resolved.reason }),
      };
  }
}
