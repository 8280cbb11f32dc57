import type { ToolContext } from '../authoring/tool-context.ts';
import type { ToolCapability } from '../contracts/capability.ts';
import type { Digest } from '../contracts/digest.ts';
import type { CallRequest, ContextHost, Executor, ExecutorEnd, ValidationIssue } from '../contracts/executor.ts';
import type { JsonObject } from '../contracts/json.ts';
import type { Locale } from '../contracts/locale.ts';
import type { ModuleGraph } from '../contracts/module-graph.ts';
import { CallClock } from './call-clock.ts';
import { createToolContext } from './create-tool-context.ts';
import { describeFailure, type FailureReading } from './describe-failure.ts';
import { abortReason, endedEarly } from './ended-early.ts';
import { executeDefinition } from './execute-definition.ts';
import { createGraphCode, type GraphCode } from './graph-code.ts';
import { guardHost } from './guard-host.ts';
import { type LoadedDefinition, loadDefinition } from './load-definition.ts';
import { createStackMapper } from './map-stack.ts';
import { createMessageCleaner } from './message-cleaner.ts';
import { unknownCode } from './unknown-code.ts';
import { validateInput } from './validate-input.ts';
import { ValidatorFailure } from './validator-failure.ts';

export interface InlineExecutor extends Executor {
  readonly kind: 'inline';
  /** Makes the code of a graph known, so that tools which refer to it can run. */
  addGraph(graph: ModuleGraph): void;
}

/**
 * Runs tools in this process, trusted with everything it has. Only the waiting can be ended here: at the limit or the
 * abort the call ends, its late result is dropped, and code that ignores its signal goes on.
 *
 * @example
 * const inline = createInlineExecutor();
 * const end = await inline.run(tool, request, host, signal);
 */
export function createInlineExecutor(): InlineExecutor {
  const graphs = new Map<Digest, GraphCode>();
  const folder = workingFolder();
  const home: FailureReading = {
    stacks: createStackMapper({ root: folder, modules: [] }),
    clean: createMessageCleaner(folder),
  };

  async function load(tool: ToolCapability, locale: Locale): Promise<LoadedDefinition> {
    if (tool.code.kind === 'live') return { ok: true, definition: tool.code.definition };
    const { graph, entry } = tool.code.reference;
    const code = graphs.get(graph);
    if (code === undefined) return { ok: false, end: unknownCode(locale) };
    return loadDefinition(code.evaluator, entry, locale, code.reading);
  }

  function readingOf(tool: ToolCapability): FailureReading {
    return (tool.code.kind === 'module' ? graphs.get(tool.code.reference.graph)?.reading : undefined) ?? home;
  }

  async function execute(
    tool: ToolCapability,
    request: CallRequest,
    context: ToolContext,
    clock: CallClock,
  ): Promise<ExecutorEnd> {
    const loaded = await load(tool, request.locale);
    if (!loaded.ok) return loaded.end;
    // The call may have ended while its module was loading; then nothing of it begins.
    if (context.signal.aborted) return endedEarly('cancel', 'not-begun', request.limits.timeoutMs, request.locale);
    clock.begin();
    return executeDefinition(loaded.definition, request, context, readingOf(tool));
  }

  async function run(tool: ToolCapability, request: CallRequest, host: ContextHost, signal: AbortSignal) {
    const { limits, locale } = request;
    if (signal.aborted) return endedEarly('cancel', 'not-begun', limits.timeoutMs, locale);
    const controller = new AbortController();
    // Code may change its input; what was approved and is recorded must stay as it was.
    const own: CallRequest = { ...request, input: structuredClone(request.input) };
    const bounded = createToolContext(own, guardHost(host), controller.signal);
    return new Promise<ExecutorEnd>((resolve) => {
      const settle = (end: ExecutorEnd): void => {
        clock.stop();
        bounded.end();
        resolve(end);
      };
      const clock = new CallClock(signal, limits.timeoutMs, (reason) => {
        settle(endedEarly(reason, clock.begun ? 'begun' : 'not-begun', limits.timeoutMs, locale));
        controller.abort(abortReason(reason));
      });
      void execute(tool, own, bounded.context, clock).then(settle);
    });
  }

  async function validate(tool: ToolCapability, input: JsonObject, signal: AbortSignal) {
    const { timeoutMs } = tool.limits;
    if (signal.aborted) throw new ValidatorFailure(endedEarly('cancel', 'not-begun', timeoutMs, 'en'));
    return new Promise<readonly ValidationIssue[]>((resolve, reject) => {
      const clock = new CallClock(signal, timeoutMs, (reason) =>
        reject(new ValidatorFailure(endedEarly(reason, clock.begun ? 'begun' : 'not-begun', timeoutMs, 'en'))),
      );
      const check = async () => {
        const loaded = await load(tool, 'en');
        if (!loaded.ok) throw new ValidatorFailure(loaded.end);
        clock.begin();
        const reading = readingOf(tool);
        const own = structuredClone(input);
        const validated = await validateInput(loaded.definition, own, reading.clean).catch((error: unknown) => {
          throw new ValidatorFailure(describeFailure(error, 'en', reading));
        });
        return validated.ok ? [] : validated.issues;
      };
      check()
        .finally(() => clock.stop())
        .then(resolve, reject);
    });
  }

  return {
    kind: 'inline',
    run,
    validate,
    addGraph(graph) {
      if (!graphs.has(graph.digest)) graphs.set(graph.digest, createGraphCode(graph));
    },
    async close() {
      graphs.clear();
    },
  };
}

/** It may have been removed; then no path is below it. */
function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}
