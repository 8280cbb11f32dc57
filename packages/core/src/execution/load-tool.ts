import type { PluginInstance } from '../contracts/code-host.ts';
import type { FrameCode } from '../contracts/frame.ts';
import type { Json, JsonObject } from '../contracts/json.ts';
import type { Locale } from '../contracts/locale.ts';
import type { Problem } from '../contracts/problem.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import type { ChildGraphs } from './child-graphs.ts';
import { describeFailure } from './describe-failure.ts';
import type { FailedEnd } from './failed-end.ts';
import { loadDefinition } from './load-definition.ts';

export type LoadedTool =
  | { readonly ok: true; readonly definition: object; readonly plugin: PluginInstance | undefined }
  | { readonly ok: false; readonly end: FailedEnd };

/**
 * The tool that code names, with its plugin set up before. A setup that is under way goes on when the call that began
 * it is cancelled: the next call needs it as well. Never rejects.
 */
export async function loadTool(
  graphs: ChildGraphs,
  code: FrameCode,
  config: Json,
  locale: Locale,
  signal: AbortSignal,
): Promise<LoadedTool> {
  const { graph, entry, member } = code;
  const { evaluator, reading } = graphs.code(graph);
  const pluginEntry = member === undefined ? code.plugin : entry;
  let plugin: PluginInstance | undefined;
  if (pluginEntry !== undefined) {
    const place = { graph, entry: pluginEntry, config: asObject(config) };
    try {
      plugin = await orAborted(graphs.setUp(place, pluginEntry, new AbortController().signal), signal);
    } catch (error) {
      return { ok: false, end: { ...describeFailure(error, locale, reading), effect: 'none' } };
    }
    const fault = plugin.setUp.problems.find(({ fatal }) => fatal);
    if (fault !== undefined) return { ok: false, end: notSetUp(pluginEntry, fault, locale) };
  }
  if (member === undefined) {
    const loaded = await loadDefinition(evaluator, entry, 'tool', locale, reading);
    return loaded.ok ? { ...loaded, plugin } : loaded;
  }
  const definition = plugin?.live.get(`tool:${member}`);
  if (definition !== undefined) return { ok: true, definition, plugin };
  return { ok: false, end: failed(renderText(text('execution.member-missing', { entry, name: member }), locale)) };
}

function notSetUp(entry: string, fault: Problem, locale: Locale): FailedEnd {
  const reason = renderText(fault.message, locale);
  return failed(renderText(text('execution.plugin-not-set-up', { entry, reason }), locale));
}

function failed(message: string): FailedEnd {
  return { ok: false, code: 'EXECUTION_ERROR', message, effect: 'none' };
}

/** Plugins have objects as configuration; anything else counts as none. */
function asObject(config: Json): JsonObject {
  return typeof config === 'object' && config !== null && !Array.isArray(config) ? (config as JsonObject) : {};
}

function orAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.finally(() => signal.removeEventListener('abort', onAbort)).then(resolve, reject);
  });
}
