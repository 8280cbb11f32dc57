import { brokeItsProcess } from '../contracts/broke-its-process.ts';
import type { ModuleGraph } from '../contracts/module-graph.ts';
import type { Problem } from '../contracts/problem.ts';
import { createProcessExecutor } from '../execution/process-executor.ts';

/** How a configuration file is tried before it is evaluated in this process. */
export interface ConfigTrial {
  /** What the file can read, as in this process. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Digests of graphs that passed. */
  readonly passed: Set<string>;
}

/**
 * Evaluates a module in a process of its own, for what it would do to this one: end it, block it, use up its memory.
 * Everything else is told where the module counts. Rejects when the signal aborts or no process can be started.
 */
export async function checkInChild(
  graph: ModuleGraph,
  entry: string,
  { environment, passed }: ConfigTrial,
  signal: AbortSignal,
): Promise<readonly Problem[]> {
  if (passed.has(graph.digest)) return [];
  const known = Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const executor = createProcessExecutor({ environment: Object.fromEntries(known), maxChildren: 1 });
  try {
    const described = await executor.describe(graph, [{ entry, kind: 'module' }], signal);
    const problems = described.flatMap((one) => one.problems).filter(brokeItsProcess);
    if (problems.length === 0) passed.add(graph.digest);
    return problems;
  } finally {
    await executor.close();
  }
}
