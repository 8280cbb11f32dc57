import type { ToolCapability } from '../contracts/capability.ts';
import type { CodeDescriber } from '../contracts/capability-source.ts';
import type { Digest } from '../contracts/digest.ts';
import type { CallRequest, ContextHost, Executor, ExecutorEnd } from '../contracts/executor.ts';
import type { JsonObject } from '../contracts/json.ts';
import type { Locale } from '../contracts/locale.ts';
import type { ModuleGraph } from '../contracts/module-graph.ts';
import { callInChild } from './call-in-child.ts';
import type { Child, ChildEnd } from './child.ts';
import { childEndText } from './child-end-text.ts';
import { childEnvironment } from './child-environment.ts';
import { ChildPool } from './child-pool.ts';
import type { ConversationEnd } from './converse.ts';
import { describeGraph } from './describe-graph.ts';
import { endedEarly } from './ended-early.ts';
import type { FailedEnd } from './failed-end.ts';
import { isAnswering } from './is-answering.ts';
import { unknownCode } from './unknown-code.ts';
import { validateInChild } from './validate-in-child.ts';
import { ValidatorFailure } from './validator-failure.ts';

export interface ProcessExecutorOptions {
  /** Child processes that may exist at a time; further calls wait in order, off their time limit. Default 4. */
  readonly maxChildren?: number;
  /** Variables that tools get beside a few harmless ones of the host (PATH, locale, proxies). Default none. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Milliseconds that a cancelled or overdue tool has to end by itself. Default 200. */
  readonly killGraceMs?: number;
  /** Milliseconds that loading one file may take. Default 10,000. */
  readonly describeEntryMs?: number;
  /** Milliseconds that loading all files of a graph may take. Default 30,000. */
  readonly describeGraphMs?: number;
}

export interface ProcessExecutor extends Executor, CodeDescriber {
  readonly kind: 'process';
  /** Makes the code of a graph known, so that tools which refer to it can run. `describe` does so too. */
  addGraph(graph: ModuleGraph): void;
}

/**
 * Runs tools in child processes of 256 MiB heap each, one call at a time in each, so that a tool which blocks,
 * crashes or grows harms no other call. One child per graph stays warm. This bounds time and memory; it is no
 * security boundary: a child may do what the user who runs the host may do.
 *
 * @example
 * const executor = createProcessExecutor({ environment: { WEATHER_KEY: '…' } });
 * const described = await executor.describe(graph, entries, signal);
 * const end = await executor.run(tool, request, host, signal);
 * await executor.close();
 */
export function createProcessExecutor(options: ProcessExecutorOptions = {}): ProcessExecutor {
  const { maxChildren = 4, environment = {}, killGraceMs = 200 } = options;
  const describeLimits = { entryMs: options.describeEntryMs ?? 10_000, totalMs: options.describeGraphMs ?? 30_000 };
  const graphs = new Map<Digest, ModuleGraph>();
  const closing = new AbortController();
  const pool = new ChildPool({ maxChildren, environment: childEnvironment(process.env, environment) });

  /**
   * Holds a conversation with a child of the tool's graph. One that is warm is asked first whether it still answers;
   * if it does not, or if it dies so that the request may be repeated, a new one gets the request.
   */
  async function talk<Value>(
    tool: ToolCapability,
    locale: Locale,
    signal: AbortSignal,
    isHarmless: boolean,
    converse: (child: Child, entry: string) => Promise<ConversationEnd<Value>>,
  ): Promise<{ readonly ok: true; readonly value: Value } | { readonly ok: false; readonly end: FailedEnd }> {
    const reference = tool.code.kind === 'module' ? tool.code.reference : undefined;
    const graph = reference === undefined ? undefined : graphs.get(reference.graph);
    if (reference === undefined || graph === undefined) return { ok: false, end: unknownCode(locale) };
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt > 1;
      const acquired = await pool.acquire(graph, isLast, signal);
      if (acquired.kind === 'aborted') {
        return { ok: false, end: endedEarly('cancel', 'not-begun', tool.limits.timeoutMs, locale) };
      }
      if (acquired.kind === 'not-started') return { ok: false, end: notStarted(acquired.end, locale) };
      const { child } = acquired;
      if (child.served > 0 && !(await isAnswering(child, signal))) {
        pool.release(child);
        continue;
      }
      const result = await converse(child, reference.entry).finally(() => pool.release(child));
      if (result.ok || isLast || result.again === 'never' || (result.again === 'if-harmless' && !isHarmless)) {
        return result;
      }
    }
  }

  async function run(
    tool: ToolCapability,
    request: CallRequest,
    host: ContextHost,
    outer: AbortSignal,
  ): Promise<ExecutorEnd> {
    const signal = AbortSignal.any([outer, closing.signal]);
    const isHarmless = tool.trustedHints.readOnly || tool.trustedHints.idempotent;
    const result = await talk(tool, request.locale, signal, isHarmless, (child, entry) =>
      callInChild(child, entry, request, host, signal, killGraceMs),
    );
    return result.ok ? { ok: true, value: result.value } : result.end;
  }

  async function validate(tool: ToolCapability, input: JsonObject, outer: AbortSignal) {
    const signal = AbortSignal.any([outer, closing.signal]);
    const limitMs = tool.limits.timeoutMs;
    const result = await talk(tool, 'en', signal, true, (child, entry) =>
      validateInChild({ child, entry, input, signal, limitMs, killGraceMs }),
    );
    if (result.ok) return result.value;
    throw new ValidatorFailure(result.end);
  }

  return {
    kind: 'process',
    run,
    validate,
    addGraph(graph) {
      graphs.set(graph.digest, graph);
    },
    describe(graph, entries, outer) {
      graphs.set(graph.digest, graph);
      return describeGraph(pool, graph, entries, describeLimits, AbortSignal.any([outer, closing.signal]));
    },
    async close() {
      closing.abort();
      await pool.close();
    },
  };
}

/** Nothing began; where the system was merely short of something, it is worth another try. */
function notStarted(end: ChildEnd, locale: Locale): FailedEnd {
  const why = end.startError?.message ?? end.fault;
  return {
    ok: false,
    code: 'EXECUTION_ERROR',
    message: childEndText(end, false, locale),
    effect: 'none',
    ...(end.startError?.isShortage === true ? { retryable: true } : {}),
    ...(why === undefined ? {} : { stack: why }),
  };
}
