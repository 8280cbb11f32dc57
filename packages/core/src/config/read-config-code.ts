import type { ModuleGraph } from '../contracts/module-graph.ts';
import type { Problem } from '../contracts/problem.ts';
import { text } from '../contracts/texts/text.ts';
import { createGraphCode, type GraphCode } from '../execution/graph-code.ts';
import { HostCode } from '../execution/host-code.ts';
import { hostCodeOwner } from '../execution/host-code-owner.ts';
import { loadProblems } from '../execution/load-problems.ts';
import { compileGraph } from '../registry/compile-graph.ts';
import { type ConfigTrial, checkInChild } from './check-in-child.ts';

/** Evaluates a module of a graph and returns what it exports. */
export type EvaluateConfig = (graph: ModuleGraph, entry: string) => Promise<object>;

/** What a configuration file in TypeScript or JavaScript exports. */
export interface ConfigCode {
  readonly value?: unknown;
  /** Absolute: what was read or looked for. */
  readonly files: readonly string[];
  readonly problems: readonly Problem[];
}

/**
 * Compiles and evaluates a configuration file. Without an `evaluate` of the caller's that is this process, for it is
 * the project's own, trusted code; but a process of its own goes first, so that none ends or blocks this one. A fault in it, or in a file that it imports, names the author's line.
 */
export async function readConfigCode(
  root: string,
  name: string,
  signal: AbortSignal,
  evaluate: EvaluateConfig | ConfigTrial,
): Promise<ConfigCode> {
  const { graph, problems, sound, files } = await compileGraph({ root, entries: [name], signal });
  const entry = sound.get(name);
  const told = problems.map(withOwnHint);
  if (entry === undefined) return { files, problems: told };
  const code = createGraphCode(graph);
  const broke = typeof evaluate === 'function' ? [] : await checkInChild(graph, entry, evaluate, signal);
  if (broke.length > 0) return { files, problems: [...told, ...broke.map(withOwnHint)] };
  let exports: object;
  try {
    exports = await (typeof evaluate === 'function' ? evaluate(graph, entry) : evaluateHere(code, entry));
  } catch (error) {
    return { files, problems: [...told, ...loadProblems(error, entry, code.reading).map(withOwnHint)] };
  }
  const value: unknown = 'default' in exports ? exports.default : undefined;
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Promise)) {
    return { value, files, problems: told };
  }
  const found = Array.isArray(value) ? 'list' : value instanceof Promise ? 'Promise' : typeof value;
  const problem: Problem = {
    code: 'INVALID_VALUE',
    file: name,
    field: '$',
    found,
    expected: 'export default { … }',
    message: text('config.no-default-export', { file: name, found }),
    hint: text('config.no-default-export-hint'),
    fatal: true,
  };
  return { files, problems: [...told, problem] };
}

async function evaluateHere(code: GraphCode, entry: string): Promise<object> {
  const hostCode = HostCode.ofProcess();
  const release = hostCode.hold();
  try {
    return await hostCode.enter(hostCodeOwner('config', entry, code.reading), () => code.evaluator.load(entry));
  } finally {
    release();
  }
}

/** The remedies of the floors below speak of tools. */
function withOwnHint(problem: Problem): Problem {
  const { key } = problem.hint ?? {};
  if (key !== 'execution.load-error-hint' && key !== 'registry.top-level-await-hint') return problem;
  return { ...problem, hint: text('config.code-hint') };
}
