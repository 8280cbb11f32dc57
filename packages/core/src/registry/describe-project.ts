import { brokeItsProcess } from '../contracts/broke-its-process.ts';
import type { CodeHost, DescribedEntry, EntryKind } from '../contracts/code-host.ts';
import type { Problem } from '../contracts/problem.ts';
import { showText } from '../contracts/show-text.ts';
import { text } from '../contracts/texts/text.ts';
import type { CompiledEntry, CompiledProject, CompiledRoot } from './compile-project.ts';
import { placed } from './compile-project.ts';

export interface DescribedProject {
  /** What an entry declares; absent when it could not be told. */
  of(root: string, module: string, kind: EntryKind): DescribedEntry | undefined;
  readonly problems: readonly Problem[];
  /** For the next load. */
  readonly known: ReadonlyMap<string, Known>;
}

interface Known {
  readonly codeDigest: string;
  readonly described: DescribedEntry;
}

export interface DescribeProjectOptions {
  readonly compiled: CompiledProject;
  /** Packages whose `plugin.ts` may run in this process. */
  readonly trusted: ReadonlySet<string>;
  readonly hosts: { readonly inline: CodeHost; readonly process: CodeHost };
  readonly signal: AbortSignal;
  readonly previous: DescribedProject | undefined;
}

/**
 * Asks where code runs what it declares: everything in other processes, and the `plugin.ts` of a trusted plugin, if
 * its process has survived that, then in this one, whose word counts. What reaches the same code as in the load before is not asked again.
 */
export async function describeProject(options: DescribeProjectOptions): Promise<DescribedProject> {
  const { compiled, trusted, hosts, signal, previous } = options;
  const known = new Map<string, Known>();
  const problems: Problem[] = [];
  for (const root of compiled.graphs) {
    const isTrusted = root.package === undefined || trusted.has(root.package);
    const inHost = (entry: CompiledEntry) => isTrusted && entry.kind === 'plugin';
    const fresh = new Map<string, CompiledEntry>();
    for (const entry of root.entries) {
      const key = keyOf(root.root, entry.module, entry.kind, inHost(entry));
      const before = previous?.known.get(key);
      // A faulty one may have been hindered by what is gone now.
      if (before?.codeDigest === entry.codeDigest && before.described.problems.length === 0) known.set(key, before);
      else if (!fresh.has(key)) fresh.set(key, entry);
    }
    const first = await ask(hosts.process, root, [...fresh.values()], signal);
    // What would end or block this process never gets into it.
    const fits = ([entry, told]: readonly [CompiledEntry, DescribedEntry]) =>
      inHost(entry) && !told.problems.some(brokeItsProcess);
    const second = await ask(
      hosts.inline,
      root,
      [...first].filter(fits).map(([entry]) => entry),
      signal,
    );
    for (const [entry, told] of new Map([...first, ...second])) {
      problems.push(...told.problems.map((problem) => placed(problem, root.root, compiled.show)));
      const key = keyOf(root.root, entry.module, entry.kind, inHost(entry));
      known.set(key, { codeDigest: entry.codeDigest, described: told });
    }
  }
  const isInHost = (root: CompiledRoot | undefined) => root?.package === undefined || trusted.has(root.package);
  return {
    problems,
    known,
    of(root, module, kind) {
      const owner = compiled.graphs.find((one) => one.root === root);
      return known.get(keyOf(root, module, kind, kind === 'plugin' && isInHost(owner)))?.described;
    },
  };
}

async function ask(
  host: CodeHost,
  { graph }: CompiledRoot,
  entries: readonly CompiledEntry[],
  signal: AbortSignal,
): Promise<ReadonlyMap<CompiledEntry, DescribedEntry>> {
  if (entries.length === 0) return new Map();
  const requests = entries.map(({ module, kind }) => ({ entry: module, kind }));
  const described = await host.describe(graph, requests, signal);
  return new Map(
    entries.map((entry, index) => {
      const one = described[index];
      return [entry, one?.entry === entry.module ? one : silent(entry.module)];
    }),
  );
}

function keyOf(root: string, module: string, kind: EntryKind, isInHost: boolean): string {
  return JSON.stringify([root, module, kind, isInHost]);
}

function silent(module: string): DescribedEntry {
  const file = showText(module);
  const message = text('registry.not-described', { file });
  return { entry: module, problems: [{ code: 'NOT_DESCRIBED', file, message, fatal: true }] };
}
