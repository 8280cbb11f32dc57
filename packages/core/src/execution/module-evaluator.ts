import { isBuiltin } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { types } from 'node:util';
import { compileFunction, constants } from 'node:vm';
import type { ModuleGraph, SourceModule } from '../contracts/module-graph.ts';
import { findUnknownExports } from './find-unknown-exports.ts';
import { lazyImports } from './lazy-imports.ts';
import { ModuleSyntaxError } from './module-syntax-error.ts';
import { createPackageImporter, type PackageImporter } from './package-importer.ts';
import { PackageLoadError } from './package-load-error.ts';
import { requireFrom } from './require-from.ts';
import { UnknownExportError } from './unknown-export-error.ts';

export interface ModuleEvaluator {
  /**
   * Evaluates an entry with everything that it imports, and returns what it exports. Rejects with
   * `ModuleSyntaxError`, `PackageLoadError`, `UnknownExportError`, or whatever the code threw; other entries are not
   * harmed.
   */
  load(entry: string): Promise<object>;
  /** What an entry that was evaluated exports; the same object as long as its instance is carried over. */
  peek(entry: string): object | undefined;
  /** For the evaluator of the next generation. */
  readonly records: ReadonlyMap<string, ModuleRecord>;
}

/** One module of the graph and how far it is. A module that threw throws the same again, as in Node. */
interface ModuleRecord {
  readonly source: SourceModule;
  readonly file: string;
  readonly lazy: ReadonlySet<string>;
  readonly importPackage: (specifier: string) => Promise<object>;
  readonly packages: Map<string, Fetched>;
  readonly holder: { exports: unknown };
  /** The generation that took it over last: there its code finds what it imports later. */
  home: Home;
  state: 'new' | 'evaluating' | 'done' | 'failed';
  error: unknown;
  namespace: object | undefined;
}

/** What the records of one generation share. */
interface Home {
  readonly provided: ReadonlyMap<string, object>;
  readonly records: ReadonlyMap<string, ModuleRecord>;
}

type Fetched = { readonly namespace: object } | { readonly error: unknown };

const ESM_PARAMETERS = ['exports', 'require', 'module', '__baigongMeta', '__baigongImport'];
const CJS_PARAMETERS = ['exports', 'require', 'module', '__filename', '__dirname', '__baigongMeta', '__baigongImport'];

/** How esbuild's output begins when it holds the helper which decides what a default import is, not by Node's rules. */
const HAS_INTEROP_HELPER = /^(?:#!.*\n)?(?:"[^"\n]*";\n)*var __create = Object\.create;\n/;
const INTEROP_HELPER = /^var __toESM = (?=\(mod, isNodeMode, target\) =>)/m;

/**
 * Evaluates the modules of a graph, each once, with Node's semantics of imports: a package gives what `import` of it
 * gives in Node, a module of the graph in CommonJS or JSON form is imported as Node would import that file. Modules of
 * the graph may import one another in cycles. All evaluators of a process share Node's packages, and nothing else.
 * `provided` answers for specifiers before anything else does.
 *
 * Instances of `previous`, an evaluator of the same folder, are taken over where neither the module nor anything that
 * it reaches has changed or failed; of `previous` itself nothing is kept. What such a module imports later, by
 * `import()`, comes from the newest generation that took it over, which holds the same code.
 *
 * @example
 * const { evaluator } = createModuleEvaluator(graph, providedModules(), previous);
 * const { default: tool } = await evaluator.load('tools/weather/index.ts');
 */
export function createModuleEvaluator(
  graph: Omit<ModuleGraph, 'digest'>,
  provided: ReadonlyMap<string, object>,
  previous?: ModuleEvaluator,
): ModuleEvaluator {
  const records = new Map<string, ModuleRecord>();
  const home: Home = { provided, records };
  const importer = createPackageImporter();
  const kept = previous === undefined ? undefined : unchangedRecords(graph.modules, previous.records);
  for (const source of graph.modules) {
    const record = kept?.get(source.path) ?? newRecord(source, graph.root, home, importer);
    record.home = home;
    records.set(source.path, record);
  }
  return evaluatorOf(home);
}

// From here on nothing closes over an evaluator: records outlive the one that made them.

function evaluatorOf(home: Home): ModuleEvaluator {
  return {
    load: (path) => load(home, path),
    peek(path) {
      const record = home.records.get(path);
      return record?.state === 'done' ? namespaceOf(record) : undefined;
    },
    records: home.records,
  };
}

function newRecord(source: SourceModule, root: string, home: Home, importer: PackageImporter): ModuleRecord {
  const file = join(root, source.path);
  return {
    source,
    file,
    lazy: lazyImports(source),
    importPackage: importer.from(file),
    packages: new Map(),
    holder: { exports: {} },
    home,
    state: 'new',
    error: undefined,
    namespace: undefined,
  };
}

/** Records whose module, and all that it reaches, is the same in both generations and has not failed. */
function unchangedRecords(
  modules: readonly SourceModule[],
  previous: ReadonlyMap<string, ModuleRecord>,
): ReadonlyMap<string, ModuleRecord> {
  const unchanged = new Map<string, ModuleRecord>();
  const importers = new Map<string, string[]>();
  const changed: string[] = [];
  for (const { path, digest, imports } of modules) {
    const record = previous.get(path);
    const isFit = record?.state === 'done' || record?.state === 'new';
    if (record !== undefined && isFit && record.source.digest === digest) unchanged.set(path, record);
    else changed.push(path);
    for (const target of Object.values(imports)) {
      const known = importers.get(target);
      if (known === undefined) importers.set(target, [path]);
      else known.push(path);
    }
  }
  for (let path = changed.pop(); path !== undefined; path = changed.pop()) {
    for (const importer of importers.get(path) ?? []) if (unchanged.delete(importer)) changed.push(importer);
  }
  return unchanged;
}

async function load(home: Home, path: string): Promise<object> {
  const record = recordOf(home, path);
  if (record.state === 'new') {
    for (const reached of reach(record)) await fetchPackages(reached);
  }
  return namespaceOf(evaluate(record));
}

function recordOf(home: Home, path: string): ModuleRecord {
  const record = home.records.get(path);
  if (record === undefined) throw new Error(`the module ${path} is missing`);
  return record;
}

/** The record and what it reaches by static imports, dependencies first; without what is evaluated already. */
function reach(record: ModuleRecord): ReadonlySet<ModuleRecord> {
  const open = new Set<ModuleRecord>();
  const reached = new Set<ModuleRecord>();
  const visit = (one: ModuleRecord): void => {
    open.add(one);
    for (const [specifier, target] of Object.entries(one.source.imports)) {
      const next = recordOf(one.home, target);
      if (next.state === 'new' && !open.has(next) && !one.lazy.has(specifier)) visit(next);
    }
    reached.add(one);
  };
  visit(record);
  return reached;
}

/** One after the other: packages are evaluated in the order in which they are imported. */
async function fetchPackages(record: ModuleRecord): Promise<void> {
  if (record.source.format !== 'esm') return;
  for (const specifier of record.source.packages) {
    if (record.home.provided.has(specifier) || hasNamespace(record.packages.get(specifier))) continue;
    try {
      record.packages.set(specifier, { namespace: await record.importPackage(specifier) });
    } catch (error) {
      record.packages.set(specifier, { error });
    }
  }
}

function evaluate(record: ModuleRecord): ModuleRecord {
  if (record.state === 'failed') throw record.error;
  if (record.state !== 'new') return record;
  record.state = 'evaluating';
  try {
    if (record.source.format === 'json') record.holder.exports = parseJson(record.source);
    else run(record);
    record.state = 'done';
  } catch (error) {
    record.state = 'failed';
    record.error = error;
    throw error;
  }
  return record;
}

function run(record: ModuleRecord): void {
  const { source, file, holder } = record;
  const isEsm = source.format === 'esm';
  const evaluateCode = compile(source, file, isEsm);
  const directory = dirname(file);
  const meta = { url: pathToFileURL(file).href, filename: file, dirname: directory };
  if (isEsm) {
    checkImports(record);
    const require = (specifier: unknown) => importIntoEsm(record, String(specifier));
    evaluateCode(holder.exports, require, holder, meta, (namespace: unknown) => namespace);
    return;
  }
  const nodeRequire = requireFrom(file);
  const require = Object.assign((specifier: string) => requireIntoCjs(record, specifier, nodeRequire), nodeRequire);
  const module = Object.assign(holder, { id: file, filename: file, path: directory, loaded: false, require });
  const toNamespace = (exports: unknown) => asNamespace(record.home, exports);
  evaluateCode.call(holder.exports, holder.exports, require, module, file, directory, meta, toNamespace);
  module.loaded = true;
}

/** Refuses, as Node does when it links, names that a package does not export. */
function checkImports(record: ModuleRecord): void {
  const faults = record.source.packages.flatMap((specifier) => {
    const fetched = record.packages.get(specifier);
    const namespace = record.home.provided.get(specifier) ?? (hasNamespace(fetched) ? fetched.namespace : undefined);
    return namespace === undefined ? [] : findUnknownExports(record.source, specifier, namespace);
  });
  if (faults.length > 0) throw new UnknownExportError(record.source.path, faults);
}

/** What esbuild's `require` in an ES module must give: always what `import` gives, or the promise of `import()`. */
function importIntoEsm(record: ModuleRecord, specifier: string): unknown {
  const { home } = record;
  const ready = home.provided.get(specifier);
  if (ready !== undefined) return ready;
  const { imports, path } = record.source;
  const own = Object.hasOwn(imports, specifier) ? imports[specifier] : undefined;
  if (own !== undefined) {
    return record.lazy.has(specifier) ? load(home, own) : namespaceOf(evaluate(recordOf(home, own)));
  }
  const fetched = record.packages.get(specifier);
  if (hasNamespace(fetched)) return fetched.namespace;
  if (fetched !== undefined) throw new PackageLoadError(specifier, path, fetched.error);
  // Only computed and lazy imports come here; they are promised, but for builtins, which are there.
  if (isBuiltin(specifier)) return asNamespace(home, process.getBuiltinModule(specifier));
  const computed = /^\.{1,2}\//.test(specifier) ? posix.join(posix.dirname(path), specifier) : undefined;
  return computed !== undefined && home.records.has(computed) ? load(home, computed) : record.importPackage(specifier);
}

function requireIntoCjs(record: ModuleRecord, specifier: string, nodeRequire: NodeJS.Require): unknown {
  const ready = record.home.provided.get(specifier);
  if (ready !== undefined) return ready;
  const { imports } = record.source;
  const own = Object.hasOwn(imports, specifier) ? imports[specifier] : undefined;
  return own === undefined ? nodeRequire(specifier) : evaluate(recordOf(record.home, own)).holder.exports;
}

function namespaceOf(record: ModuleRecord): object {
  const { exports } = record.holder;
  if (record.source.format === 'esm') return exports as object;
  if (record.source.format === 'json') record.namespace ??= { default: exports };
  // In a cycle the exports are not all there yet: what is kept is only made at the end.
  else if (record.state !== 'done') return wrap(exports);
  else record.namespace ??= wrap(exports);
  return record.namespace;
}

function asNamespace(home: Home, exports: unknown): unknown {
  if (types.isModuleNamespaceObject(exports)) return exports;
  for (const provision of home.provided.values()) if (provision === exports) return exports;
  for (const record of home.records.values()) {
    if (record.holder.exports === exports && exports !== undefined) return namespaceOf(record);
  }
  return wrap(exports);
}

function compile(source: SourceModule, file: string, isEsm: boolean): (...values: unknown[]) => unknown {
  const ours = HAS_INTEROP_HELPER.test(source.code)
    ? source.code.replace(INTEROP_HELPER, 'var __toESM = __baigongImport, __unusedToESM = ')
    : source.code;
  const code = ours.replace(/^#!.*/, '');
  try {
    return compileFunction(
      // ES modules are strict, which esbuild leaves unsaid.
      isEsm ? `"use strict";\n${code}` : code,
      isEsm ? ESM_PARAMETERS : CJS_PARAMETERS,
      {
        filename: file,
        lineOffset: isEsm ? -1 : 0,
        importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      },
    ) as (...values: unknown[]) => unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const line = /:(\d+)\n/.exec(error.stack ?? '')?.[1];
    throw new ModuleSyntaxError(source.path, line === undefined ? undefined : Number(line), error);
  }
}

function parseJson(source: SourceModule): unknown {
  try {
    return JSON.parse(source.code.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new ModuleSyntaxError(source.path, undefined, error as SyntaxError);
  }
}

function hasNamespace(fetched: Fetched | undefined): fetched is { readonly namespace: object } {
  return fetched !== undefined && 'namespace' in fetched;
}

/** What Node makes of CommonJS exports that are imported: they are the default, and their members have names. */
function wrap(exports: unknown): object {
  const hasMembers = typeof exports === 'object' || typeof exports === 'function';
  return { ...(hasMembers ? exports : {}), default: exports };
}
