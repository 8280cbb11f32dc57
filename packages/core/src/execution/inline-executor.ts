import type { ToolContext } from '../authoring/tool-context.ts';
import type { LiveTool, ToolCapability } from '../contracts/capability.ts';
import type { CodeHost, PluginInstance } from '../contracts/code-host.ts';
import type { Digest } from '../contracts/digest.ts';
import type {
  CallRequest,
  ContextHost,
  Executor,
  ExecutorEnd,
  LogLevel,
  ValidationIssue,
} from '../contracts/executor.ts';
import type { Json, JsonObject } from '../contracts/json.ts';
import type { Locale } from '../contracts/locale.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import { CallClock } from './call-clock.ts';
import { createToolContext } from './create-tool-context.ts';
import { describeEntry } from './describe-entry.ts';
import { describeFailure, type FailureReading } from './describe-failure.ts';
import { abortReason, endedEarly, LOAD_LIMIT_MS, type StopReason } from './ended-early.ts';
import { executeDefinition } from './execute-definition.ts';
import { createGraphCode, type GraphCode } from './graph-code.ts';
import { guardHost } from './guard-host.ts';
import { HostCode } from './host-code.ts';
import { hostCodeOwner } from './host-code-owner.ts';
import { ignoreFailure } from './ignore-failure.ts';
import { type LoadedDefinition, loadDefinition } from './load-definition.ts';
import { createStackMapper } from './map-stack.ts';
import { createMessageCleaner } from './message-cleaner.ts';
import { RetainedGraphs } from './retained-graphs.ts';
import { SETUP_LIMIT_MS, setUpPlugin } from './set-up-plugin.ts';
import { unknownCode } from './unknown-code.ts';
import { validateInput } from './validate-input.ts';
import { ValidatorFailure } from './validator-failure.ts';

export interface InlineExecutorOptions {
  /** Hears what plugins log. Default: warnings and errors become warnings of the process, the rest nobody hears. */
  readonly log?: (plugin: string, level: LogLevel, message: string) => void;
  /** Milliseconds that the setup of a plugin may take. Default 30,000. */
  readonly setUpMs?: number;
}

export interface InlineExecutor extends Executor, CodeHost {
  readonly kind: 'inline';
}

/** A graph's code, and the instances of its plugins by entry, the newest last. */
interface InlineCode {
  readonly root: string;
  readonly code: GraphCode;
  readonly plugins: Map<string, PluginInstance>;
}

/**
 * Runs tools and plugins in this process, trusted with everything it has. Only the waiting can be ended here: at the
 * limit or the abort the call ends, its late result is dropped, and code that ignores its signal goes on.
 *
 * @example
 * const inline = createInlineExecutor();
 * const release = inline.retain(graph);
 * const end = await inline.run(tool, request, host, signal);
 * release();
 */
export function createInlineExecutor(options: InlineExecutorOptions = {}): InlineExecutor {
  const codes = new Map<Digest, InlineCode>();
  const graphs = new RetainedGraphs(({ digest }) => codes.delete(digest));
  const hostCode = HostCode.ofProcess();
  const unhold = hostCode.hold();
  const folder = workingFolder();
  const home: FailureReading = {
    stacks: createStackMapper({ root: folder, modules: [] }),
    clean: createMessageCleaner(folder),
  };

  /** Made when it is first needed: most graphs have no code that runs here. */
  function codeOf(digest: Digest): InlineCode | undefined {
    const known = codes.get(digest);
    const graph = graphs.get(digest);
    if (known !== undefined || graph === undefined) return known;
    const previous = [...codes.values()].findLast(({ root }) => root === graph.root)?.code;
    const made = {
      root: graph.root,
      code: createGraphCode(graph, previous),
      plugins: new Map<string, PluginInstance>(),
    };
    codes.set(digest, made);
    return made;
  }

  async function load(tool: ToolCapability, locale: Locale): Promise<LoadedDefinition> {
    if (tool.code.kind === 'live') return { ok: true, definition: tool.code.definition };
    const { graph, entry, member } = tool.code.reference;
    const held = codeOf(graph);
    if (held === undefined) return { ok: false, end: unknownCode(locale) };
    if (member === undefined) return loadDefinition(held.code.evaluator, entry, 'tool', locale, held.code.reading);
    const definition = held.plugins.get(entry)?.live.get(`tool:${member}`);
    if (definition !== undefined) return { ok: true, definition };
    const message = renderText(text('execution.member-missing', { entry, name: member }), locale);
    return { ok: false, end: { ok: false, code: 'EXECUTION_ERROR', message, effect: 'none' } };
  }

  function readingOf(tool: ToolCapability): FailureReading {
    return (tool.code.kind === 'module' ? codeOf(tool.code.reference.graph)?.code.reading : undefined) ?? home;
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
    return executeDefinition(loaded.definition as LiveTool, request, context, readingOf(tool));
  }

  /** Tools that the embedding program handed in are its own code. */
  function enter<Value>(tool: ToolCapability, work: () => Value): Value {
    return tool.code.kind === 'live' ? work() : hostCode.enter(hostCodeOwner('tool', tool.name, readingOf(tool)), work);
  }

  async function run(tool: ToolCapability, request: CallRequest, host: ContextHost, signal: AbortSignal) {
    const { limits, locale } = request;
    if (signal.aborted) return endedEarly('cancel', 'not-begun', limits.timeoutMs, locale);
    const controller = new AbortController();
    // Code may change its input; what was approved and is recorded must stay as it was.
    const own: CallRequest = { ...request, input: structuredClone(request.input) };
    let hold: (waiting: boolean) => void = () => {};
    const bounded = createToolContext(own, guardHost(host), controller.signal, (waiting) => hold(waiting));
    return new Promise<ExecutorEnd>((resolve) => {
      const settle = (end: ExecutorEnd): void => {
        clock.stop();
        bounded.end();
        resolve(end);
      };
      const onStop = (reason: StopReason): void => {
        settle(endedEarly(reason, clock.begun ? 'begun' : 'not-begun', limits.timeoutMs, locale));
        controller.abort(abortReason(reason));
      };
      const clock = new CallClock(signal, limits.timeoutMs, onStop, loadLimitOf(tool));
      hold = (waiting) => clock.hold(waiting);
      void enter(tool, () => execute(tool, own, bounded.context, clock)).then(settle);
    });
  }

  async function validate(tool: ToolCapability, input: JsonObject, _config: Json, signal: AbortSignal) {
    const { timeoutMs } = tool.limits;
    if (signal.aborted) throw new ValidatorFailure(endedEarly('cancel', 'not-begun', timeoutMs, 'en'));
    return new Promise<readonly ValidationIssue[]>((resolve, reject) => {
      const onStop = (reason: StopReason): void =>
        reject(new ValidatorFailure(endedEarly(reason, clock.begun ? 'begun' : 'not-begun', timeoutMs, 'en')));
      const clock = new CallClock(signal, timeoutMs, onStop, loadLimitOf(tool));
      const check = async () => {
        const loaded = await load(tool, 'en');
        if (!loaded.ok) throw new ValidatorFailure(loaded.end);
        clock.begin();
        const reading = readingOf(tool);
        const own = structuredClone(input);
        const validated = await validateInput(loaded.definition as LiveTool, own, reading.clean).catch(
          (error: unknown) => {
            throw new ValidatorFailure(describeFailure(error, 'en', reading));
          },
        );
        return validated.ok ? [] : validated.issues;
      };
      enter(tool, check)
        .finally(() => clock.stop())
        .then(resolve, reject);
    });
  }

  return {
    kind: 'inline',
    run,
    validate,
    retain: (graph) => graphs.retain(graph),
    async describe(graph, entries, signal) {
      const release = graphs.retain(graph);
      try {
        const held = codeOf(graph.digest);
        const described = [];
        for (const request of entries) {
          signal.throwIfAborted();
          if (held === undefined) continue;
          const owner = hostCodeOwner('plugin', request.entry, held.code.reading);
          described.push(await hostCode.enter(owner, () => describeEntry(held.code, request)));
        }
        return described;
      } finally {
        release();
      }
    },
    async setUp(request, signal) {
      const { graph, entry, plugin, config, service } = request;
      const release = graphs.retain(graph);
      const held = codeOf(graph.digest);
      const { code, plugins } = held ?? { code: createGraphCode(graph), plugins: new Map<string, PluginInstance>() };
      const { log: hear = warn } = options;
      const log = (level: LogLevel, message: string) => ignoreFailure(() => hear(plugin, level, message));
      const owner = hostCodeOwner('plugin', plugin === '' ? entry : plugin, code.reading);
      const limitMs = options.setUpMs ?? SETUP_LIMIT_MS;
      try {
        const own = { code, entry, plugin, config, service, log, limitMs };
        const instance = await hostCode.enter(owner, () => setUpPlugin(own, signal));
        if (instance.setUp.problems.some(({ fatal }) => fatal)) release();
        else plugins.set(entry, instance);
        return {
          ...instance,
          async dispose() {
            await hostCode.enter(owner, () => instance.dispose());
            if (plugins.get(entry) === instance) plugins.delete(entry);
            release();
          },
        };
      } catch (error) {
        release();
        throw error;
      }
    },
    async close() {
      graphs.clear();
      codes.clear();
      unhold();
    },
  };
}

function warn(plugin: string, level: LogLevel, message: string): void {
  if (level !== 'warn' && level !== 'error') return;
  process.emitWarning(plugin === '' ? message : `${plugin}: ${message}`, 'BaigongWarning');
}

/** It may have been removed; then no path is below it. */
function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}

/** What the embedding program handed in is loaded already. */
function loadLimitOf({ code }: ToolCapability): number {
  return code.kind === 'live' ? 0 : LOAD_LIMIT_MS;
}
