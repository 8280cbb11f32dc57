import type { ToolCapability } from '../contracts/capability.ts';
import type { CodeHost, PluginInstance, SetUpRequest } from '../contracts/code-host.ts';
import type { CallRequest, ContextHost, Executor, ExecutorEnd, LogLevel } from '../contracts/executor.ts';
import type { FrameCode } from '../contracts/frame.ts';
import type { Json, JsonObject } from '../contracts/json.ts';
import type { Locale } from '../contracts/locale.ts';
import type { ModuleGraph } from '../contracts/module-graph.ts';
import { callInChild } from './call-in-child.ts';
import type { Child, ChildEnd } from './child.ts';
import { childEndText } from './child-end-text.ts';
import { childEnvironment } from './child-environment.ts';
import { ChildPool } from './child-pool.ts';
import type { ConversationEnd } from './converse.ts';
import { describeGraph } from './describe-graph.ts';
import { disposeInChild } from './dispose-in-child.ts';
import { endedEarly } from './ended-early.ts';
import type { FailedEnd } from './failed-end.ts';
import { ignoreFailure } from './ignore-failure.ts';
import { isAnswering } from './is-answering.ts';
import { RetainedGraphs } from './retained-graphs.ts';
import { brokenSetUp, setUpInChild } from './set-up-in-child.ts';
import { SETUP_LIMIT_MS } from './set-up-plugin.ts';
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
  /** Milliseconds that the setup of a plugin may take. Default 30,000. */
  readonly setUpMs?: number;
  /** Hears what plugins print and log while they are set up. Default: nobody does. */
  readonly log?: (plugin: string, level: LogLevel, message: string) => void;
  /** Milliseconds that loading all files of a graph may take. Default 30,000. */
  readonly describeGraphMs?: number;
}

export interface ProcessExecutor extends Executor, CodeHost {
  readonly kind: 'process';
  /** Changes what the executor was made with: children that run something end with it, new ones are started so. */
  configure(options: Required<Pick<ProcessExecutorOptions, 'maxChildren' | 'environment'>>): void;
}

/** What a conversation needs beside its child. */
interface Talk {
  readonly locale: Locale;
  readonly signal: AbortSignal;
  readonly isHarmless: boolean;
  readonly nested: boolean;
}

/**
 * Runs tools and plugins in child processes of 256 MiB heap each, one call at a time in each, so that one which blocks,
 * crashes or grows harms no other. One child per folder stays warm. This bounds time and memory; it is no security
 * boundary: a child may do what the user who runs the host may do.
 *
 * @example
 * const executor = createProcessExecutor({ environment: { WEATHER_KEY: '…' } });
 * const release = executor.retain(graph);
 * const described = await executor.describe(graph, entries, signal);
 * const end = await executor.run(tool, request, host, signal);
 * release();
 * await executor.close();
 */
export function createProcessExecutor(options: ProcessExecutorOptions = {}): ProcessExecutor {
  const { maxChildren = 4, environment = {}, killGraceMs = 200, setUpMs = SETUP_LIMIT_MS } = options;
  const describeLimits = { entryMs: options.describeEntryMs ?? 10_000, totalMs: options.describeGraphMs ?? 30_000 };
  const closing = new AbortController();
  const pool = new ChildPool({ maxChildren, environment: childEnvironment(process.env, environment) });
  const graphs = new RetainedGraphs(({ digest }) => pool.forgetGraph(digest));

  /**
   * Holds a conversation with a child of the graph's folder. One that is warm is asked first whether it still answers;
   * if it does not, or if it fails or dies so that the request may be repeated, a new one gets the request.
   */
  async function talk<Value>(
    graph: ModuleGraph,
    { locale, signal, isHarmless, nested }: Talk,
    converse: (child: Child) => Promise<ConversationEnd<Value>>,
  ): Promise<{ readonly ok: true; readonly value: Value } | { readonly ok: false; readonly end: FailedEnd }> {
    // Its children must not forget it meanwhile.
    const release = graphs.retain(graph);
    try {
      for (let attempt = 1; ; attempt += 1) {
        const isLast = attempt > 1;
        const acquired = await pool.acquire({ graph, fresh: isLast, nested }, signal);
        if (acquired.kind === 'aborted') return { ok: false, end: endedEarly('cancel', 'not-begun', 0, locale) };
        if (acquired.kind === 'not-started') return { ok: false, end: notStarted(acquired.end, locale) };
        const { child } = acquired;
        if (child.served > 0 && !(await isAnswering(child, signal))) {
          pool.release(child);
          continue;
        }
        const result = await converse(child);
        const again =
          !result.ok && !isLast && (result.again === 'always' || (result.again === 'if-harmless' && isHarmless));
        if (!again) {
          pool.release(child);
          return result;
        }
        // Where another one may do better, nothing good is to be expected of this one any more.
        pool.retire(child);
      }
    } finally {
      release();
    }
  }

  function codeOf(tool: ToolCapability): { readonly graph: ModuleGraph; readonly code: FrameCode } | undefined {
    if (tool.code.kind !== 'module') return undefined;
    const { reference, plugin } = tool.code;
    const graph = graphs.get(reference.graph);
    return graph === undefined
      ? undefined
      : { graph, code: plugin === undefined ? reference : { ...reference, plugin } };
  }

  async function run(
    tool: ToolCapability,
    request: CallRequest,
    host: ContextHost,
    outer: AbortSignal,
  ): Promise<ExecutorEnd> {
    const { locale, nested } = request;
    const found = codeOf(tool);
    if (found === undefined) return unknownCode(locale);
    const signal = AbortSignal.any([outer, closing.signal]);
    const isHarmless = tool.trustedHints.readOnly || tool.trustedHints.idempotent;
    const result = await talk(found.graph, { locale, signal, isHarmless, nested }, (child) =>
      callInChild(child, found.code, request, host, signal, killGraceMs),
    );
    return result.ok ? { ok: true, ...result.value } : result.end;
  }

  async function validate(tool: ToolCapability, input: JsonObject, config: Json, outer: AbortSignal, nested = false) {
    const found = codeOf(tool);
    if (found === undefined) throw new ValidatorFailure(unknownCode('en'));
    const signal = AbortSignal.any([outer, closing.signal]);
    const limitMs = tool.limits.timeoutMs;
    const { graph, code } = found;
    const result = await talk(graph, { locale: 'en', signal, isHarmless: true, nested }, (child) =>
      validateInChild({ child, code, input, config, signal, limitMs, killGraceMs }),
    );
    if (result.ok) return result.value;
    throw new ValidatorFailure(result.end);
  }

  async function setUp(request: SetUpRequest, outer: AbortSignal): Promise<PluginInstance> {
    const { graph, entry, plugin, config } = request;
    const signal = AbortSignal.any([outer, closing.signal]);
    const release = graphs.retain(graph);
    const log = (level: LogLevel, message: string) => ignoreFailure(() => options.log?.(plugin, level, message));
    const dispose = once(async () => {
      await pool.withHolders(graph.digest, (child) => disposeInChild(child, { graph: graph.digest, entry, config }));
      release();
    });
    try {
      signal.throwIfAborted();
      // Like a description, it does not wait for calls that hold all children.
      const result = await talk(graph, { locale: 'en', signal, isHarmless: false, nested: true }, (child) =>
        setUpInChild({ child, request, signal, limitMs: setUpMs, log }),
      );
      signal.throwIfAborted();
      // It never began: this machine is at fault, not the plugin.
      if (!result.ok && result.end.effect === 'none') throw new Error(result.end.message);
      const done = result.ok ? result.value : brokenSetUp(result.end, request, setUpMs);
      if (done.problems.some(({ fatal }) => fatal)) await dispose();
      return { setUp: done, live: new Map(), services: new Map(), config: done.config, dispose };
    } catch (error) {
      await dispose();
      throw error;
    }
  }

  return {
    kind: 'process',
    run,
    validate,
    retain: (graph) => graphs.retain(graph),
    async describe(graph, entries, outer) {
      const release = graphs.retain(graph);
      try {
        const signal = AbortSignal.any([outer, closing.signal]);
        return await describeGraph(pool, graph, entries, describeLimits, signal);
      } finally {
        release();
      }
    },
    setUp,
    configure({ maxChildren: most, environment: handedOn }) {
      pool.configure({ maxChildren: most, environment: childEnvironment(process.env, handedOn) });
    },
    async close() {
      closing.abort();
      await pool.close();
    },
  };
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work();
    return running;
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
