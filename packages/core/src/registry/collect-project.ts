import { canonicalJson } from '../contracts/canonical-json.ts';
import type { CapabilityCode, CapabilityDeclaration, LiveTool, Provenance } from '../contracts/capability.ts';
import type { SourceSnapshot } from '../contracts/capability-source.ts';
import type { AddedCapability } from '../contracts/code-host.ts';
import { digest } from '../contracts/digest.ts';
import type { JsonObject } from '../contracts/json.ts';
import type { CompiledEntry, CompiledProject, CompiledRoot } from './compile-project.ts';
import type { DescribedProject } from './describe-project.ts';
import type { FoundCapability, PluginFolder } from './project-scan.ts';
import type { SetUpEntry, SetUpProject } from './set-up-project.ts';

export interface CollectOptions {
  readonly plugins: readonly PluginFolder[];
  readonly compiled: CompiledProject;
  readonly described: DescribedProject;
  readonly setUp: SetUpProject;
  readonly trusted: ReadonlySet<string>;
}

/** A compiled root whose entries are found by kind and path. */
interface IndexedRoot extends CompiledRoot {
  readonly byEntry: ReadonlyMap<string, CompiledEntry>;
}

export interface CollectedProject {
  readonly declarations: readonly CapabilityDeclaration[];
  readonly faulty: NonNullable<SourceSnapshot['faulty']>;
}

/** Everything that a project declares: by its folders, and by what its plugins' `setup` added. */
export function collectProject(options: CollectOptions): CollectedProject {
  const { plugins, compiled, described, setUp, trusted } = options;
  const roots = new Map(compiled.graphs.map((one) => [one.root, { ...one, byEntry: entriesByPath(one) }]));
  const declarations: CapabilityDeclaration[] = [];
  const faulty: CollectedProject['faulty'][number][] = [];
  for (const plugin of plugins) {
    const root = roots.get(plugin.root);
    const isTrusted = plugin.package === undefined || trusted.has(plugin.package);
    const provenance: Provenance = plugin.package === undefined ? 'project' : 'plugin';
    // Code of an untrusted plugin finds what its `setup` provides in its own process.
    const ownSetup = isTrusted
      ? undefined
      : root?.entries.find((one) => one.plugin === plugin && one.kind === 'plugin');
    for (const found of plugin.found) {
      const declaration = declare(found, root, described, ownSetup?.module, (path) => compiled.show(plugin.root, path));
      if (declaration !== undefined) declarations.push({ ...declaration, provenance, trusted: isTrusted });
      else
        faulty.push({
          kind: found.kind,
          name: found.name,
          owner: found.owner,
          via: 'folder',
          file: compiled.show(plugin.root, found.file),
        });
    }
  }
  for (const entry of setUp.entries) {
    const { plugin } = entry.entry;
    const provenance: Provenance = plugin.package === undefined ? 'project' : 'plugin';
    const file = compiled.show(plugin.root, entry.entry.entry);
    for (const added of entry.instance.setUp.added) {
      declarations.push({ ...declareAdded(added, entry), file, provenance, trusted: entry.isTrusted });
    }
  }
  return { declarations, faulty };
}

/** Where links lead two entries to one path, the first counts. */
function entriesByPath({ entries }: CompiledRoot): ReadonlyMap<string, CompiledEntry> {
  return new Map(entries.toReversed().map((one) => [`${one.kind} ${one.entry}`, one]));
}

function declare(
  found: FoundCapability,
  root: IndexedRoot | undefined,
  described: DescribedProject,
  setupModule: string | undefined,
  show: (path: string) => string,
): CapabilityDeclaration | undefined {
  const { kind, name, owner, file, entry, fields, texts } = found;
  const base = { kind, name, owner, via: 'folder', file: show(file) } as const;
  if (kind === 'skill' || kind === 'agent') {
    if (fields === undefined) return undefined;
    const codeDigest = digest(canonicalJson([name.toWellFormed(), wellFormed(texts)]));
    return { ...base, fields, ...(texts === undefined ? {} : { texts }), ownValidator: false, codeDigest };
  }
  const compiled = root?.byEntry.get(`${kind} ${entry}`);
  if (root === undefined || compiled === undefined) return undefined;
  const declaration = described.of(root.root, compiled.module, kind)?.declaration;
  if (declaration === undefined) return undefined;
  const code: CapabilityCode = {
    kind: 'module',
    reference: { graph: root.graph.digest, entry: compiled.module },
    ...(setupModule === undefined ? {} : { plugin: setupModule }),
  };
  return { ...base, ...declaration, code, codeDigest: compiled.codeDigest };
}

/** What runs in this process is the object itself; elsewhere it is found by the name under which it was added. */
function declareAdded(added: AddedCapability, { entry, instance, root, isTrusted }: SetUpEntry): CapabilityDeclaration {
  const { kind, name, fields, ownValidator, texts } = added;
  const owner = { plugin: entry.plugin.path };
  const base = { kind, name, owner, via: 'setup', fields, ownValidator, codeDigest: entry.codeDigest } as const;
  const withTexts = texts === undefined ? base : { ...base, texts };
  if (kind === 'skill' || kind === 'agent') return withTexts;
  const live = instance.live.get(`${kind}:${name}`);
  if (isTrusted && live !== undefined) return { ...withTexts, code: { kind: 'live', definition: live as LiveTool } };
  const reference = { graph: root.graph.digest, entry: entry.module, member: name };
  return { ...withTexts, code: { kind: 'module', reference, plugin: entry.module } };
}

function wellFormed(texts: Readonly<Record<string, string>> | undefined): JsonObject {
  return Object.fromEntries(Object.entries(texts ?? {}).map(([name, text]) => [name, text.toWellFormed()]));
}
