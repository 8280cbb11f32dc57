import { isStandardSchema } from '../authoring/is-standard-schema.ts';
import type { PluginInstance, ProvidedService, SetUpPlugin } from '../contracts/code-host.ts';
import type { LogLevel } from '../contracts/executor.ts';
import type { JsonObject } from '../contracts/json.ts';
import type { Problem } from '../contracts/problem.ts';
import { text } from '../contracts/texts/text.ts';
import { describeFailure, type FailureReading } from './describe-failure.ts';
import { executionLimits as limits } from './execution-limits.ts';
import type { GraphCode } from './graph-code.ts';
import { loadProblems } from './load-problems.ts';
import { noDefinition } from './no-definition.ts';
import { plainJson } from './plain-json.ts';
import { PluginDisposal } from './plugin-disposal.ts';
import { PluginSetup } from './plugin-setup.ts';
import { readDefinition } from './read-definition.ts';
import { readMember } from './read-member.ts';
import { showPosition } from './show-position.ts';

/** Milliseconds that loading a plugin and its `setup` may take together. */
export const SETUP_LIMIT_MS = 30_000;

export interface SetUpOptions {
  readonly code: GraphCode;
  readonly entry: string;
  readonly plugin: string;
  readonly config: JsonObject;
  readonly service: (token: string) => ProvidedService | undefined;
  readonly log: (level: LogLevel, message: string) => void;
  /** Default {@link SETUP_LIMIT_MS}. */
  readonly limitMs?: number;
}

/**
 * Runs a plugin's `setup` in this process. Whatever is wrong is a problem of the instance, and then everything that it
 * handed to `onDispose` has run. Rejects, after the same, only when the signal aborts.
 *
 * @example
 * const instance = await setUpPlugin({ code, entry: 'plugin.ts', plugin: 'lottery', config: {}, service, log }, signal);
 */
export async function setUpPlugin(options: SetUpOptions, signal: AbortSignal): Promise<PluginInstance> {
  signal.throwIfAborted();
  const { plugin, entry, code, limitMs = SETUP_LIMIT_MS } = options;
  const { reading } = code;
  const tell = (error: unknown) => describeFailure(error, 'en', reading).message;
  const disposal = new PluginDisposal({ plugin, tell, log: options.log });
  const here = () => positionOf(new Error('here'), reading, entry);
  const setup = new PluginSetup({ plugin, disposal, service: options.service, log: options.log, here });

  const stopped = Promise.withResolvers<'late' | 'aborted'>();
  const onAbort = (): void => stopped.resolve('aborted');
  signal.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(() => stopped.resolve('late'), limitMs);
  let config: unknown = options.config;
  const work = async (): Promise<'done'> => {
    const ready = await prepare(options, setup);
    if (ready === undefined) return 'done';
    config = ready.config;
    if (signal.aborted) return 'done';
    try {
      await ready.setup(setup.context(config));
    } catch (error) {
      setup.note(setupFailed(error, plugin, entry, reading));
    }
    return 'done';
  };
  const end = await Promise.race([work(), stopped.promise]);
  clearTimeout(timer);
  signal.removeEventListener('abort', onAbort);
  if (end === 'late') setup.note(setupTooLong(plugin, entry, limitMs));

  const failed = end === 'aborted' || signal.aborted || setup.problems.some(({ fatal }) => fatal);
  setup.close(failed ? 'failed' : 'done');
  if (failed) await disposal.run();
  if (end === 'aborted' || signal.aborted) throw signal.reason;
  return {
    setUp: failed
      ? { added: [], provided: [], config: options.config, problems: setup.problems }
      : told(setup, config, options),
    live: failed ? new Map() : setup.live,
    services: failed ? new Map() : setup.services,
    config,
    dispose: () => disposal.run(),
  };
}

interface Ready {
  readonly config: unknown;
  readonly setup: (context: unknown) => unknown;
}

/** Loads the plugin and parses its configuration; notes what is wrong. */
async function prepare(options: SetUpOptions, setup: PluginSetup): Promise<Ready | undefined> {
  const { code, entry, plugin } = options;
  let definition: object;
  try {
    const read = readDefinition(await code.evaluator.load(entry), 'plugin');
    if (read.kind !== 'found') {
      setup.note(noDefinition(read, 'plugin', entry));
      return undefined;
    }
    definition = read.definition;
  } catch (error) {
    for (const problem of loadProblems(error, entry, code.reading)) setup.note(problem);
    return undefined;
  }
  const run = readMember(definition, 'setup');
  try {
    const config = await parseConfig(readMember(definition, 'config'), options, setup);
    if (setup.problems.length > 0) return undefined;
    const isRunnable = typeof run === 'function';
    return { config, setup: async (context) => (isRunnable ? run.call(definition, context) : undefined) };
  } catch (error) {
    setup.note(setupFailed(error, plugin, entry, code.reading));
    return undefined;
  }
}

/** Only a schema that is code is asked here; JSON Schema is checked by whoever reads the configuration. */
async function parseConfig(schema: unknown, options: SetUpOptions, setup: PluginSetup): Promise<unknown> {
  const own = structuredClone(options.config);
  if (!isStandardSchema(schema)) return own;
  const result = await schema['~standard'].validate(own);
  if (result.issues === undefined) return result.value;
  for (const issue of result.issues.slice(0, limits.issues)) {
    // In the words of the configuration; the root plugin's part of it is called `config`.
    const inside = (issue.path ?? []).map((part) => `.${String(typeof part === 'object' ? part.key : part)}`).join('');
    const root = options.plugin === '' ? 'config' : `plugins.${options.plugin}`;
    const field = `${root}${inside}`.slice(0, limits.issueChars);
    const reason = options.code.reading.clean(String(issue.message)).slice(0, limits.issueChars);
    const message = text('execution.plugin-config', { plugin: options.plugin, field, reason });
    setup.note({ code: 'INVALID_CONFIG', field, message, fatal: true });
  }
  return undefined;
}

function told(setup: PluginSetup, config: unknown, options: SetUpOptions): SetUpPlugin {
  const plain = plainJson(config);
  return {
    added: [...setup.added.values()],
    provided: [...setup.services.values()].map(({ token, remote }) => ({ token, remote })),
    config: plain.ok ? (plain.value ?? null) : options.config,
    problems: setup.problems,
  };
}

function setupFailed(error: unknown, plugin: string, entry: string, reading: FailureReading): Problem {
  const file = positionOf(error, reading, entry);
  const reason = describeFailure(error, 'en', reading).message.slice(0, limits.problemChars);
  return {
    code: 'SETUP_FAILED',
    file,
    message: text('execution.setup-failed', { file, plugin, reason }),
    hint: text('execution.setup-failed-hint'),
    fatal: true,
  };
}

function setupTooLong(plugin: string, file: string, limitMs: number): Problem {
  return {
    code: 'SETUP_FAILED',
    file,
    message: text('execution.setup-timed-out', { file, plugin, limitMs }),
    hint: text('execution.setup-failed-hint'),
    fatal: true,
  };
}

function positionOf(thrown: unknown, reading: FailureReading, entry: string): string {
  const position = reading.stacks.positionOf(thrown);
  return position === undefined ? entry : showPosition(position);
}
