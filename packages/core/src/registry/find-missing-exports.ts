import type { Message, Plugin } from 'esbuild';
import type { SourceModule } from '../contracts/module-graph.ts';
import { nearestNames } from '../contracts/nearest-names.ts';
import type { Problem } from '../contracts/problem.ts';
import { showText } from '../contracts/show-text.ts';
import { showValue } from '../contracts/show-value.ts';
import { text } from '../contracts/texts/text.ts';
import { compilerPlace } from './compiler-place.ts';
import type { SourceFile } from './serve-sources.ts';
import { staticRequires } from './static-requires.ts';

/** What was found out about the imports of one module, good for as long as `looked` is what it was. */
export interface ExportCheck {
  /** The module and those that the answer depends on, by path; undefined = there was none. */
  readonly looked: ReadonlyMap<string, SourceModule | undefined>;
  /** By line. */
  readonly problems: readonly Problem[];
}

const NAMESPACE = 'baigong';
const ENTRY = 'entry';
/** Exports nobody knows before it runs. */
const UNKNOWN_EXPORTS = 'module.exports = globalThis.unknown';

/**
 * Finds names that ES modules import from one another by `import { name }` and that are not there, which Node refuses
 * when it links; the answers come by path of the importing module. Modules whose compiled code plainly uses nothing but
 * what is there are not looked at further. The others and what they reach are linked by the compiler, whose output is
 * thrown away: it knows `export *`, cycles, and that imports of types are none. Packages, JSON and CommonJS modules may
 * export anything. Of `previous` the answers that still hold are taken over.
 */
export async function findMissingExports(
  modules: ReadonlyMap<string, SourceModule>,
  sources: ReadonlyMap<string, SourceFile>,
  previous: ReadonlyMap<string, ExportCheck>,
): Promise<ReadonlyMap<string, ExportCheck>> {
  const checks = new Map<string, ExportCheck>();
  const exportsOfModule = exportLists();
  const suspects = new Map<string, ReadonlyMap<string, SourceModule | undefined>>();
  for (const module of modules.values()) {
    if (module.format !== 'esm') continue;
    const known = previous.get(module.path);
    if (known !== undefined && stillHolds(known, modules)) checks.set(module.path, known);
    else if (mayMissExports(module, modules, exportsOfModule)) suspects.set(module.path, reach(module, modules));
    else checks.set(module.path, { looked: withTargets(module, modules), problems: [] });
  }
  if (suspects.size === 0) return checks;
  const missing = Map.groupBy(await link(suspects.keys(), modules, sources), ({ importer }) => importer);
  for (const [path, looked] of suspects) {
    const sorted = (missing.get(path) ?? []).toSorted((a, b) => a.line - b.line || a.column - b.column);
    checks.set(path, { looked, problems: sorted.map(({ problem }) => problem) });
  }
  return checks;
}

function stillHolds({ looked }: ExportCheck, modules: ReadonlyMap<string, SourceModule>): boolean {
  for (const [path, one] of looked) if (modules.get(path) !== one) return false;
  return true;
}

function withTargets(
  module: SourceModule,
  modules: ReadonlyMap<string, SourceModule>,
): ReadonlyMap<string, SourceModule | undefined> {
  return new Map([module.path, ...Object.values(module.imports)].map((path) => [path, modules.get(path)]));
}

/** A module and all that it reaches. */
function reach(
  module: SourceModule,
  modules: ReadonlyMap<string, SourceModule>,
): ReadonlyMap<string, SourceModule | undefined> {
  const reached = new Map<string, SourceModule | undefined>([[module.path, module]]);
  for (const one of reached.values()) {
    for (const target of Object.values(one?.imports ?? {})) reached.set(target, modules.get(target));
  }
  return reached;
}

interface MissingExport {
  readonly importer: string;
  readonly line: number;
  readonly column: number;
  readonly problem: Problem;
}

async function link(
  entries: Iterable<string>,
  modules: ReadonlyMap<string, SourceModule>,
  sources: ReadonlyMap<string, SourceFile>,
): Promise<readonly MissingExport[]> {
  const { build } = await import('esbuild');
  let messages: readonly Message[];
  try {
    await build({
      entryPoints: ['entry'],
      plugins: [linkModules([...entries], modules, sources)],
      absWorkingDir: '/',
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'node',
      tsconfigRaw: {},
      logLevel: 'silent',
      logLimit: 0,
    });
    return [];
  } catch (error) {
    const errors = (error as { errors?: readonly Message[] }).errors;
    if (errors === undefined) throw error;
    messages = errors;
  }
  return messages.flatMap((message) => {
    const match = /^No matching export in "(.*)" for import "(.*)"$/s.exec(message.text);
    const importer = message.location?.file.slice(NAMESPACE.length + 1);
    const target = match?.[1]?.slice(NAMESPACE.length + 1);
    const name = match?.[2];
    if (importer === undefined || target === undefined || name === undefined) return [];
    if (!modules.has(importer) || !modules.has(target)) return [];
    const { line = 0, column = 0 } = message.location ?? {};
    const problem = describe(importer, target, name, message, modules.get(target)?.code ?? '');
    return [{ importer, line, column, problem }];
  });
}

/** The plain exports of modules, each read once. */
function exportLists(): (module: SourceModule) => ReadonlySet<string> {
  const lists = new Map<SourceModule, ReadonlySet<string>>();
  return (module) => {
    let list = lists.get(module);
    if (list === undefined) {
      list = new Set(exportsOf(module.code));
      lists.set(module, list);
    }
    return list;
  };
}

/** Does its compiled code use names that its imports do not plainly export? Linking everything takes as long again. */
function mayMissExports(
  { code, imports }: SourceModule,
  modules: ReadonlyMap<string, SourceModule>,
  exportsOfModule: (module: SourceModule) => ReadonlySet<string>,
): boolean {
  const names = new Map<string, ReadonlySet<string>>();
  for (const { variable, specifier } of staticRequires(code)) {
    const own = Object.hasOwn(imports, specifier) ? imports[specifier] : undefined;
    const target = own === undefined ? undefined : modules.get(own);
    if (variable !== undefined && target?.format === 'esm') names.set(variable, exportsOfModule(target));
  }
  for (const [variable, known] of names) if (usesOther(code, variable, known)) return true;
  return false;
}

/** Does code use a member of a variable that is none of these? Text that only looks like it counts too. */
function usesOther(code: string, variable: string, known: ReadonlySet<string>): boolean {
  const member = /[\p{ID_Continue}$]+/uy;
  for (let at = code.indexOf(variable); at !== -1; at = code.indexOf(variable, at + 1)) {
    const end = at + variable.length;
    const next = code[end];
    if ((next !== '.' && next !== '[') || /[\p{ID_Continue}$]$/u.test(code.slice(Math.max(0, at - 2), at))) continue;
    if (next === '[') return true;
    member.lastIndex = end + 1;
    const name = member.exec(code)?.[0];
    if (name !== undefined && !known.has(name)) return true;
  }
  return false;
}

function linkModules(
  entries: readonly string[],
  modules: ReadonlyMap<string, SourceModule>,
  sources: ReadonlyMap<string, SourceFile>,
): Plugin {
  return {
    name: NAMESPACE,
    setup(build) {
      build.onResolve({ filter: /^/ }, ({ kind, path, importer, namespace }) => {
        if (kind === 'entry-point') return { path: ENTRY, namespace: `${NAMESPACE}-entry` };
        if (namespace !== NAMESPACE) return { path, namespace: NAMESPACE, sideEffects: false };
        const imports = modules.get(importer)?.imports ?? {};
        const own = Object.hasOwn(imports, path) ? imports[path] : undefined;
        return own === undefined ? { path, external: true } : { path: own, namespace: NAMESPACE, sideEffects: false };
      });
      build.onLoad({ filter: /^/, namespace: `${NAMESPACE}-entry` }, () => ({
        contents: entries.map((path) => `import ${JSON.stringify(path)};`).join('\n'),
        loader: 'js',
      }));
      build.onLoad({ filter: /^/, namespace: NAMESPACE }, ({ path }) => {
        const source = modules.get(path)?.format === 'esm' ? sources.get(path) : undefined;
        if (source === undefined) return { contents: UNKNOWN_EXPORTS, loader: 'js' };
        return { contents: source.text, loader: /\.[cm]?ts$/.test(path) ? 'ts' : 'js' };
      });
    },
  };
}

function describe(importer: string, target: string, name: string, message: Message, targetCode: string): Problem {
  const file = `${showText(importer)}${compilerPlace(message)}`;
  const [nearest] = nearestNames(name, exportsOf(targetCode), 1);
  return {
    code: 'UNKNOWN_EXPORT',
    file,
    found: showValue(name),
    ...(nearest === undefined ? {} : { expected: showValue(nearest) }),
    message: text('registry.unknown-export', { file, name: showValue(name), target: showText(target) }),
    hint:
      nearest === undefined
        ? text('registry.unknown-export-hint', { target: showText(target) })
        : text('registry.did-you-mean', { name: showValue(nearest) }),
    fatal: true,
  };
}

/** The names in the list that the compiler writes; only for a suggestion. */
function exportsOf(code: string): readonly string[] {
  const list = /^__export\(\w+, \{\n((?: {2}.*\n)*)\}\);$/m.exec(code)?.[1] ?? '';
  return [...list.matchAll(/^ {2}([\p{ID_Start}$_][\p{ID_Continue}$]*): \(\) => /gmu)].flatMap(([, one]) => one ?? []);
}
