import type { Message, Plugin } from 'esbuild';
import type { SourceModule } from '../contracts/module-graph.ts';
import type { Problem } from '../contracts/problem.ts';
import { text } from '../contracts/texts/text.ts';
import { compilerPlace } from './compiler-place.ts';
import { nearestNames } from '../contracts/nearest-names.ts';
import type { SourceFile } from './serve-sources.ts';
import { showText } from '../contracts/show-text.ts';
import { showValue } from '../contracts/show-value.ts';

export interface MissingExport {
  /** Path of the importing module. */
  readonly importer: string;
  readonly problem: Problem;
}

const NAMESPACE = 'baigong';
const ENTRY = 'entry';
/** Exports nobody knows before it runs. */
const UNKNOWN_EXPORTS = 'module.exports = globalThis.unknown';

/**
 * Finds names that ES modules import from one another by `import { name }` and that are not there, which Node refuses
 * when it links. The compiler links the modules for this and its output is thrown away: it knows `export *`, cycles,
 * and that imports of types are none. Packages, JSON and CommonJS modules may export anything.
 */
export async function findMissingExports(
  modules: ReadonlyMap<string, SourceModule>,
  sources: ReadonlyMap<string, SourceFile>,
): Promise<readonly MissingExport[]> {
  const linked = [...modules.values()].filter(({ format }) => format === 'esm');
  if (!linked.some((module) => mayMissExports(module, modules))) return [];
  const { build } = await import('esbuild');
  let messages: readonly Message[];
  try {
    await build({
      entryPoints: ['entry'],
      plugins: [linkModules(linked, modules, sources)],
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
  const found = messages.flatMap((message) => {
    const match = /^No matching export in "(.*)" for import "(.*)"$/s.exec(message.text);
    const importer = message.location?.file.slice(NAMESPACE.length + 1);
    const target = match?.[1]?.slice(NAMESPACE.length + 1);
    const name = match?.[2];
    if (importer === undefined || target === undefined || name === undefined) return [];
    if (!modules.has(importer) || !modules.has(target)) return [];
    const line = message.location?.line ?? 0;
    return [{ importer, line, problem: describe(importer, target, name, message, modules.get(target)?.code ?? '') }];
  });
  return found.sort((a, b) => (a.importer === b.importer ? a.line - b.line : a.importer < b.importer ? -1 : 1));
}

/** Does its compiled code use names that its imports do not plainly export? Linking everything takes as long again. */
function mayMissExports({ code, imports }: SourceModule, modules: ReadonlyMap<string, SourceModule>): boolean {
  const names = new Map<string, ReadonlySet<string>>();
  for (const [, variable = '', quoted = ''] of code.matchAll(/^var (\S+) = (?:__toESM\()?require\((".*?")\)/gm)) {
    const specifier: unknown = JSON.parse(quoted);
    const own = typeof specifier === 'string' && Object.hasOwn(imports, specifier) ? imports[specifier] : undefined;
    const target = own === undefined ? undefined : modules.get(own);
    if (target?.format === 'esm') names.set(variable, new Set(exportsOf(target.code)));
  }
  if (names.size === 0) return false;
  for (const [, variable = '', name] of code.matchAll(/([\p{ID_Continue}$]+)(?:\.([\p{ID_Continue}$]+)|\[)/gu)) {
    const known = names.get(variable);
    if (known !== undefined && (name === undefined || !known.has(name))) return true;
  }
  return false;
}

function linkModules(
  linked: readonly SourceModule[],
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
        contents: linked.map(({ path }) => `import ${JSON.stringify(path)};`).join('\n'),
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
