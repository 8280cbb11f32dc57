import { relative, sep } from 'node:path';
import type { EntryKind } from '../contracts/code-host.ts';
import type { Digest } from '../contracts/digest.ts';
import type { MessageKey } from '../contracts/message-key.ts';
import type { ModuleGraph } from '../contracts/module-graph.ts';
import type { Problem } from '../contracts/problem.ts';
import { codeDigests } from './code-digests.ts';
import { type CompiledGraph, compileGraph } from './compile-graph.ts';
import type { PluginFolder, ProjectScan } from './project-scan.ts';
import type { TransformCache } from './transform-cache.ts';

/** A file that declares something, compiled. */
export interface CompiledEntry {
  readonly plugin: PluginFolder;
  readonly kind: EntryKind;
  /** As found, below the plugin's root. */
  readonly entry: string;
  /** Path of its module in the graph. */
  readonly module: string;
  /** Over every file that it reaches. */
  readonly codeDigest: Digest;
}

/** The code of one folder whose files may import one another: the project, or a package. */
export interface CompiledRoot {
  readonly root: string;
  /** npm name, when it is a package. */
  readonly package?: string;
  readonly graph: ModuleGraph;
  readonly compiled: CompiledGraph;
  /** Those without a fault, in the order of the scan. */
  readonly entries: readonly CompiledEntry[];
}

export interface CompiledProject {
  readonly graphs: readonly CompiledRoot[];
  readonly problems: readonly Problem[];
  /** Absolute paths of all that was read or looked for. */
  readonly files: readonly string[];
  /** Shows a file of a plugin as people know it: below the project where it lies there. */
  show(root: string, path: string): string;
}

export interface CompileProjectOptions {
  readonly scan: ProjectScan;
  readonly root: string;
  readonly signal: AbortSignal;
  readonly cache: TransformCache | undefined;
  readonly previous: CompiledProject | undefined;
}

/** Compiles the code of all plugins, one graph for each root. */
export async function compileProject(options: CompileProjectOptions): Promise<CompiledProject> {
  const { scan, signal, cache, previous } = options;
  const roots = new Map<string, PluginFolder[]>();
  for (const plugin of scan.plugins) roots.set(plugin.root, [...(roots.get(plugin.root) ?? []), plugin]);
  const projectRoot = scan.plugins[0]?.root ?? options.root;
  const show = (root: string, path: string): string => {
    if (root === projectRoot) return path;
    const folder = relative(projectRoot, root).replaceAll(sep, '/');
    return folder.startsWith('..') ? `${roots.get(root)?.[0]?.package ?? root}/${path}` : `${folder}/${path}`;
  };
  const graphs: CompiledRoot[] = [];
  const problems: Problem[] = [];
  for (const [root, plugins] of roots) {
    const wanted = plugins.flatMap((plugin) => entriesOf(plugin));
    if (wanted.length === 0) continue;
    const before = previous?.graphs.find((one) => one.root === root)?.compiled;
    const compiled = await compileGraph({
      root,
      entries: wanted.map(({ entry }) => entry),
      signal,
      pluginFolders: plugins.map(({ folder }) => folder),
      ...(cache === undefined ? {} : { cache }),
      ...(before === undefined ? {} : { previous: before }),
    });
    problems.push(...compiled.problems.map((problem) => placed(problem, root, show)));
    const digests = codeDigests(compiled.graph, new Set(compiled.sound.values()));
    const entries = wanted.flatMap(({ plugin, kind, entry }): CompiledEntry[] => {
      const module = compiled.sound.get(entry);
      const codeDigest = module === undefined ? undefined : digests.get(module);
      return module === undefined || codeDigest === undefined ? [] : [{ plugin, kind, entry, module, codeDigest }];
    });
    const name = plugins[0]?.package;
    graphs.push({ root, graph: compiled.graph, compiled, entries, ...(name === undefined ? {} : { package: name }) });
  }
  await cache?.save();
  return { graphs, problems, files: graphs.flatMap(({ compiled }) => compiled.files), show };
}

/** A problem of a file, its path shown as people know it, in its texts too. */
export function placed(problem: Problem, root: string, show: (root: string, path: string) => string): Problem {
  const { file, message, hint } = problem;
  if (file === undefined) return problem;
  const shown = show(root, file);
  if (shown === file) return problem;
  const renamed = (text: MessageKey): MessageKey =>
    text.values?.file === file ? { ...text, values: { ...text.values, file: shown } } : text;
  return { ...problem, file: shown, message: renamed(message), ...(hint === undefined ? {} : { hint: renamed(hint) }) };
}

function entriesOf(plugin: PluginFolder): { plugin: PluginFolder; kind: EntryKind; entry: string }[] {
  const found = plugin.found.flatMap(({ kind, entry }) =>
    entry === undefined || kind === 'skill' || kind === 'agent' ? [] : [{ plugin, kind, entry }],
  );
  return plugin.entry === undefined ? found : [{ plugin, kind: 'plugin', entry: plugin.entry }, ...found];
}
