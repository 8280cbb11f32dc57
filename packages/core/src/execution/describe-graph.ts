import type { DescribedEntry, EntryRequest } from '../contracts/code-host.ts';
import type { MessageKey } from '../contracts/message-key.ts';
import type { ModuleGraph } from '../contracts/module-graph.ts';
import type { Problem } from '../contracts/problem.ts';
import { text } from '../contracts/texts/text.ts';
import { CHILD_HEAP_MB, type ChildEnd } from './child.ts';
import type { ChildPool } from './child-pool.ts';
import { type DescribeLimits, describeInChild, type PartialDescription } from './describe-in-child.ts';
import { isAnswering } from './is-answering.ts';
import { notStartedText } from './not-started-text.ts';

/**
 * Describes all entries of a graph. A warm child of the folder is asked first, which has the modules that did not
 * change; what it does not describe without any fault is described again, each once, in new processes, so that no file
 * is blamed for what other code left behind: one that blocks or ends its process costs the others nothing but a new
 * start. Rejects when the signal aborts or no process can be started.
 */
export async function describeGraph(
  pool: ChildPool,
  graph: ModuleGraph,
  entries: readonly EntryRequest[],
  limits: DescribeLimits,
  signal: AbortSignal,
): Promise<readonly DescribedEntry[]> {
  const deadline = performance.now() + limits.totalMs;
  const clean = await describeWarm(pool, graph, entries, limits, signal);
  const open = entries.filter((request) => !clean.has(request));
  const fresh = await describeFresh(pool, graph, open, { ...limits, deadline }, signal);
  const all = new Map([...clean, ...fresh.map((described, index) => [open[index], described] as const)]);
  return entries.flatMap((request) => all.get(request) ?? []);
}

/** What a warm child, if there is one, describes without any fault. */
async function describeWarm(
  pool: ChildPool,
  graph: ModuleGraph,
  entries: readonly EntryRequest[],
  limits: DescribeLimits,
  signal: AbortSignal,
): Promise<ReadonlyMap<EntryRequest | undefined, DescribedEntry>> {
  const clean = new Map<EntryRequest | undefined, DescribedEntry>();
  const child = entries.length === 0 ? undefined : pool.takeWarm(graph);
  if (child === undefined) return clean;
  try {
    if (!(await isAnswering(child, signal))) return clean;
    const { described } = await describeInChild(child, graph.digest, entries, limits, signal);
    for (const [index, one] of described.entries()) if (one.problems.length === 0) clean.set(entries[index], one);
    return clean;
  } finally {
    pool.release(child);
  }
}

async function describeFresh(
  pool: ChildPool,
  graph: ModuleGraph,
  entries: readonly EntryRequest[],
  limits: DescribeLimits & { readonly deadline: number },
  signal: AbortSignal,
): Promise<readonly DescribedEntry[]> {
  const results: DescribedEntry[] = [];
  while (results.length < entries.length) {
    signal.throwIfAborted();
    const rest = entries.slice(results.length);
    // Calls under way may hold all children for long; a reload does not wait for them.
    const acquired = await pool.acquire({ graph, fresh: true, nested: true }, signal);
    if (acquired.kind === 'aborted') throw signal.reason;
    if (acquired.kind === 'not-started') throw new Error(notStartedText(graph.root, acquired.end));
    const { child } = acquired;
    const totalMs = Math.max(0, limits.deadline - performance.now());
    let partial: PartialDescription;
    try {
      partial = await describeInChild(child, graph.digest, rest, { entryMs: limits.entryMs, totalMs }, signal);
    } finally {
      pool.release(child);
    }
    results.push(...partial.described);
    const { broke, described } = partial;
    const culprit = rest[described.length]?.entry;
    if (broke === undefined || culprit === undefined) continue;
    if (broke.kind === 'out-of-time') {
      results.push(...rest.slice(described.length).map(({ entry }) => failed(entry, outOfTime(entry, limits.totalMs))));
    } else if (described.length === 0) {
      const problem = broke.kind === 'blocked' ? blocked(culprit, limits.entryMs) : endedProcess(culprit, broke.end);
      results.push(failed(culprit, problem));
    }
    // Otherwise what an earlier file left running may have blocked or ended the process: this one is tried again in
    // one where it comes first.
  }
  return results;
}

function failed(entry: string, problem: Problem): DescribedEntry {
  return { entry, problems: [problem] };
}

function blocked(file: string, limitMs: number): Problem {
  return {
    code: 'LOAD_ERROR',
    file,
    message: text('execution.load-blocked', { file, limitMs }),
    hint: text('execution.load-error-hint'),
    fatal: true,
  };
}

function outOfTime(file: string, limitMs: number): Problem {
  return {
    code: 'LOAD_ERROR',
    file,
    message: text('execution.load-out-of-time', { file, limitMs }),
    hint: text('execution.load-out-of-time-hint'),
    fatal: true,
  };
}

function endedProcess(file: string, end: ChildEnd): Problem {
  return {
    code: 'LOAD_ERROR',
    file,
    message: endText(file, end),
    hint: text('execution.load-error-hint'),
    fatal: true,
  };
}

function endText(file: string, end: ChildEnd): MessageKey {
  if (end.fault !== undefined) return text('execution.load-misused-pipe', { file });
  if (end.outOfMemory) return text('execution.load-out-of-memory', { file, limitMb: CHILD_HEAP_MB });
  if (end.signal !== null) return text('execution.load-killed', { file, signal: end.signal });
  return text('execution.load-exited', { file, code: end.exitCode ?? 'null' });
}
