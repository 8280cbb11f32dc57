import { isBuiltin } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { types } from 'node:util';
import { compileFunction, constants } from 'node:vm';
import type { ModuleGraph, SourceModule } from '../contracts/module-graph.ts';
import { importFrom } from './import-from.ts';
import { lazyImports } from './lazy-imports.ts';
import { ModuleSyntaxError } from './module-syntax-error.ts';
import { PackageLoadError } from './package-load-error.ts';
import { requireFrom } from './require-from.ts';

export interface ModuleEvaluator {
  /**
   * Evaluates an entry with everything that it imports, and returns what it exports. Rejects with
   * `ModuleSyntaxError`, `PackageLoadError`, or whatever the code threw; other entries are not harmed.
   */
  load(entry: string): Promise<object>;
}

/** One module of the graph and how far it is. A module that threw throws the same again, as in Node. */
interface ModuleRecord {
  readonly source: SourceModule;
  readonly file: string;
  readonly lazy: ReadonlySet<string>;
  readonly importPackage: (specifier: string) => Promise<object>;
  readonly packages: Map<string, Fetched>;
  readonly holder: { exports: unknown };
  state: 'new' | 'evaluating' | 'done' | 'failed';
  error: unknown;
  namespace: object | undefined;
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
 * @example
 * const evaluator = createModuleEvaluator(graph, providedModules());
 * const { default: tool } = await evaluator.load('tools/weather/index.ts');
 */
export function createModuleEvaluator(
  graph: Omit<ModuleGraph, 'digest'>,
  provided: ReadonlyMap<string, object>,
): ModuleEvaluator {
  const sources = new Map(graph.modules.map((module) => [module.path, module]));
  const records = new Map<string, ModuleRecord>();

  async function load(path: string): Promise<object> {
    const record = recordOf(path);
    if (record.state === 'new') {
      for (const reached of reach(record)) await fetchPackages(reached);
    }
    return namespaceOf(evaluate(record));
  }

  function recordOf(path: string): ModuleRecord {
    const known = records.get(path);
    if (known !== undefined) return known;
    const source = sources.get(path);
    if (source === undefined) throw new Error(`the module ${path} is missing`);
    const file = join(graph.root, path);
    const record: ModuleRecord = {
      source,
      file,
      lazy: lazyImports(source),
      importPackage: importFrom(file),
      packages: new Map(),
      holder: { exports: {} },
      state: 'new',
      error: undefined,
      namespace: undefined,
    };
    records.set(path, record);
    return record;
  }

  /** The record and what it reaches by static imports, dependencies first; without what is evaluated already. */
  function reach(record: ModuleRecord): ReadonlySet<ModuleRecord> {
    const open = new Set<ModuleRecord>();
    const reached = new Set<ModuleRecord>();
    const visit = (one: ModuleRecord): void => {
      open.add(one);
      for (const [specifier, target] of Object.entries(one.source.imports)) {
        const next = recordOf(target);
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
      if (provided.has(specifier) || hasNamespace(record.packages.get(specifier))) continue;
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
      const require = (specifier: unknown) => importIntoEsm(record, String(specifier));
      evaluateCode(holder.exports, require, holder, meta, (namespace: unknown) => namespace);
      return;
    }
    const nodeRequire = requireFrom(file);
    const require = Object.assign((specifier: string) => requireIntoCjs(record, specifier, nodeRequire), nodeRequire);
    const module = Object.assign(holder, { id: file, filename: file, path: directory, loaded: false, require });
    evaluateCode.call(holder.exports, holder.exports, require, module, file, directory, meta, asNamespace);
    module.loaded = true;
  }

  /** What esbuild's `require` in an ES module must give: always what `import` gives, or the promise of `import()`. */
  function importIntoEsm(record: ModuleRecord, specifier: string): unknown {
    const ready = provided.get(specifier);
    if (ready !== undefined) return ready;
    const { imports, path } = record.source;
    const own = Object.hasOwn(imports, specifier) ? imports[specifier] : undefined;
    if (own !== undefined) return record.lazy.has(specifier) ? load(own) : namespaceOf(evaluate(recordOf(own)));
    const fetched = record.packages.get(specifier);
    if (hasNamespace(fetched)) return fetched.namespace;
    if (fetched !== undefined) throw new PackageLoadError(specifier, path, fetched.error);
    // Only computed and lazy imports come here; they are promised, but for builtins, which are there.
    if (isBuiltin(specifier)) return asNamespace(process.getBuiltinModule(specifier));
    const computed = /^\.{1,2}\//.test(specifier) ? posix.join(posix.dirname(path), specifier) : undefined;
    return computed !== undefined && sources.has(computed) ? load(computed) : record.importPackage(specifier);
  }

  function requireIntoCjs(record: ModuleRecord, specifier: string, nodeRequire: NodeJS.Require): unknown {
    const ready = provided.get(specifier);
    if (ready !== undefined) return ready;
    const { imports } = record.source;
    const own = Object.hasOwn(imports, specifier) ? imports[specifier] : undefined;
    return own === undefined ? nodeRequire(specifier) : evaluate(recordOf(own)).holder.exports;
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

  function asNamespace(exports: unknown): unknown {
    if (types.isModuleNamespaceObject(exports)) return exports;
    for (const provision of provided.values()) if (provision === exports) return exports;
    for (const record of records.values()) {
      if (record.holder.exports === exports && exports !== undefined) return namespaceOf(record);
    }
    return wrap(exports);
  }

  return { load };
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
