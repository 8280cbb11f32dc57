import type { DescribedEntry } from '../contracts/capability-source.ts';
import type { MessageKey } from '../contracts/message-key.ts';
import type { ModuleGraph } from '../contracts/module-graph.ts';
import type { Problem } from '../contracts/problem.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import { CHILD_HEAP_MB, type ChildEnd } from './child.ts';
import { childEndText } from './child-end-text.ts';
import type { ChildPool } from './child-pool.ts';
import { type DescribeLimits, describeInChild, type PartialDescription } from './describe-in-child.ts';

/**
 * Describes all entries of a graph, each once, in new processes: one that blocks or ends its process costs the others
 * nothing but a new start. Rejects when the signal aborts or no process can be started.
 */
export async function describeGraph(
  pool: ChildPool,
  graph: ModuleGraph,
  entries: readonly string[],
  limits: DescribeLimits,
  signal: AbortSignal,
): Promise<readonly DescribedEntry[]> {
  const results: DescribedEntry[] = [];
  const deadline = performance.now() + limits.totalMs;
  while (results.length < entries.length) {
    signal.throwIfAborted();
    const rest = entries.slice(results.length);
    const totalMs = Math.max(0, deadline - performance.now());
    const acquired = await pool.acquire(graph, true, signal);
    if (acquired.kind === 'aborted') throw signal.reason;
    if (acquired.kind === 'not-started') {
      throw new Error(notStartedText(graph.root, acquired.end));
    }
    const { child } = acquired;
    let partial: PartialDescription;
    try {
      partial = await describeInChild(child, rest, { entryMs: limits.entryMs, totalMs }, signal);
    } finally {
      pool.release(child);
    }
    results.push(...partial.described);
    const { broke, described } = partial;
    const culprit = rest[described.length];
    if (broke === undefined || culprit === undefined) continue;
    if (broke.kind === 'out-of-time') {
      results.push(...rest.slice(described.length).map((entry) => failed(entry, outOfTime(entry, limits.totalMs))));
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

function notStartedText(folder: string, end: ChildEnd): string {
  const { startError, fault } = end;
  const isPlain = startError?.isShortage === true || (startError === undefined && fault === undefined);
  const reason = isPlain ? childEndText(end, false, 'en') : (startError?.message ?? fault ?? '');
  return renderText(text('execution.describer-not-started', { folder, reason }), 'en');
}
