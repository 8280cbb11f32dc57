import { canonicalJson } from '../contracts/canonical-json.ts';
import type { CapabilityDeclaration } from '../contracts/capability.ts';
import type { CapabilitySource, LoadRequest, SourceSnapshot } from '../contracts/capability-source.ts';
import type { CodeHost } from '../contracts/code-host.ts';
import { digest } from '../contracts/digest.ts';
import type { Problem } from '../contracts/problem.ts';
import { collectProject } from './collect-project.ts';
import { type CompiledProject, compileProject } from './compile-project.ts';
import { type DescribedProject, describeProject } from './describe-project.ts';
import { fieldTexts } from './field-texts.ts';
import { keepWatching } from './keep-watching.ts';
import { linkedPackages } from './linked-packages.ts';
import { PluginInstances } from './plugin-instances.ts';
import type { ProjectScan } from './project-scan.ts';
import { scanConfigured } from './scan-configured.ts';
import { type SetUpProject, setUpProject } from './set-up-project.ts';
import { sortProblems } from './sort-problems.ts';
import { openTransformCache } from './transform-cache.ts';
import { type LookedAt, watchProject } from './watch-project.ts';

export interface ProjectSourceOptions {
  /** Unique within a runtime, shown to people. */
  readonly id: string;
  /** Folder of the project. */
  readonly root: string;
  /** Where code runs: trusted plugins in this process, everything else in others. */
  readonly hosts: { readonly inline: CodeHost; readonly process: CodeHost };
  /** Folder for compiled code that outlives this process; absent = none is kept. */
  readonly cacheFolder?: string;
  /** Version of this program, for plugins that ask for one. */
  readonly version: string;
  /** Folders that are never watched, absolute: those that this program writes. */
  readonly unwatched?: readonly string[];
}

/** What a snapshot was made of, for the next load. */
interface Made {
  readonly scan: ProjectScan;
  readonly compiled: CompiledProject;
  readonly described: DescribedProject;
}

/**
 * A project: its folders, its child plugins, and the packages that its configuration names. The data's way is one:
 * scan ▸ compile ▸ describe ▸ set up ▸ declare; each step goes on past faults, so that one load finds all of them, and
 * each takes over from the load before what did not change.
 *
 * @example
 * const source = createProjectSource({ id: 'project', root: '/srv/bot', hosts, version: '0.1.0' });
 * const { declarations, problems } = await source.load({ signal });
 */
export function createProjectSource(options: ProjectSourceOptions): CapabilitySource {
  const { id, root, hosts, cacheFolder, version } = options;
  const cache = cacheFolder === undefined ? undefined : openTransformCache(cacheFolder);
  const instances = new PluginInstances();
  const made = new WeakMap<SourceSnapshot, Made>();
  /** Of the newest load, whether it led to a table or not: what a watcher has to look at. */
  let newest: Made | undefined;
  let looked = lookedAt(undefined, root);

  async function load({ signal, previous, plugins }: LoadRequest): Promise<SourceSnapshot> {
    const before = previous === undefined ? newest : (made.get(previous) ?? newest);
    const scanned = await scanConfigured({ root, settings: plugins, version, signal, previous: before?.scan });
    const compiled = await compileProject({ scan: scanned.scan, root, signal, cache, previous: before?.compiled });
    const retained = compiled.graphs.map(({ graph }) => [hosts.process.retain(graph), hosts.inline.retain(graph)]);
    const shares: { release(): Promise<void> }[] = [];
    const dispose = async (): Promise<void> => {
      await Promise.all(shares.map((share) => share.release()));
      for (const release of retained.flat()) release();
    };
    try {
      const trusted = new Set(plugins?.trusted ?? []);
      const described = await describeProject({ compiled, trusted, hosts, signal, previous: before?.described });
      const folders = scanned.scan.plugins;
      const setUp = await setUpProject({
        compiled,
        described,
        plugins: folders,
        trusted,
        hosts,
        instances,
        shares,
        signal,
        settings: plugins,
      });
      const { declarations, faulty } = collectProject({ plugins: folders, compiled, described, setUp, trusted });
      const problems: readonly Problem[] = sortProblems([
        ...scanned.problems,
        ...compiled.problems,
        ...described.problems,
        ...setUp.problems,
      ]);
      let disposed: Promise<void> | undefined;
      const snapshot: SourceSnapshot = {
        declarations,
        faulty,
        problems,
        services: setUp.services,
        localServices: unjudgedServices(declarations, setUp),
        configs: setUp.configs,
        // Lines that moved change no definition, but stack traces have to follow them.
        digest: digest(canonicalJson([setUp.digest, ...compiled.graphs.map(({ graph }) => graph.digest)])),
        dispose: () => {
          disposed ??= dispose();
          return disposed;
        },
      };
      newest = { scan: scanned.scan, compiled, described };
      looked = lookedAt(newest, root);
      made.set(snapshot, newest);
      return snapshot;
    } catch (error) {
      await dispose();
      throw error;
    }
  }

  return {
    id,
    provenance: 'project',
    load,
    watch: (listener) =>
      keepWatching(
        root,
        () => watchProject({ root, unwatched: options.unwatched ?? [], looked: () => looked, listener }),
        () => listener.changed(root),
      ),
  };
}

/**
 * Services by plugin that only its own tools reach. What a plugin would have provided whose own faults kept it from
 * being set up is unknown: its tools are not told that they lack it.
 */
function unjudgedServices(
  declarations: readonly CapabilityDeclaration[],
  { localServices, pending }: SetUpProject,
): ReadonlyMap<string, ReadonlySet<string>> {
  if (pending.size === 0) return localServices;
  const all = new Map([...localServices].map(([plugin, tokens]) => [plugin, new Set(tokens)]));
  for (const { owner, fields } of declarations) {
    const plugin = owner.plugin.join('__');
    if (!pending.has(plugin)) continue;
    all.set(plugin, new Set([...(all.get(plugin) ?? []), ...fieldTexts(fields.uses)]));
  }
  return all;
}

function lookedAt(made: Made | undefined, root: string): LookedAt {
  if (made === undefined) return { folders: [], files: [], linked: [] };
  const { scan, compiled } = made;
  const real = scan.plugins[0]?.root ?? root;
  const linked = compiled.graphs.flatMap((one) => linkedPackages(one.root, one.compiled.packages));
  // Packages that are plugins are loaded by us: a linked one is reloaded like the project itself.
  const plugins = compiled.graphs
    .map((one) => one.root)
    .filter((one) => one !== real && !one.includes('/node_modules/'));
  return {
    folders: scan.folders,
    files: compiled.files,
    linked: [...new Set([...linked, ...plugins])],
  };
}
