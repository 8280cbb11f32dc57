import { resolve } from 'node:path';
import {
  callDirectly,
  createSessionLanes,
  createTurnEvents,
  createVisibleTools,
  runTurn,
  type TurnResult,
} from './agent/index.ts';
import { createMask, type LoadedConfig, maskMessage } from './config/index.ts';
import { BaigongError } from './contracts/baigong-error.ts';
import type { CapabilitySource } from './contracts/capability-source.ts';
import { createId } from './contracts/create-id.ts';
import type { Outcome } from './contracts/outcome.ts';
import type { Facts } from './contracts/policy.ts';
import type { Problem } from './contracts/problem.ts';
import type { SessionValues } from './contracts/session.ts';
import type { Store } from './contracts/store.ts';
import { text } from './contracts/texts/text.ts';
import { VERSION } from './contracts/version.ts';
import { createDispatch, createHostFetch } from './dispatch/index.ts';
import { createInlineExecutor, createProcessExecutor } from './execution/index.ts';
import { ModelError } from './models/index.ts';
import { admit, parsePermission } from './policy/index.ts';
import { createTableBuilder, Generations } from './registry/index.ts';
import { toBaigongError, withoutSecrets } from './runtime-errors.ts';
import type { Runtime } from './runtime-face.ts';
import {
  type GenerationRequest,
  type LoadedGeneration,
  loadGeneration,
  type RuntimeGeneration,
} from './runtime-generation.ts';
import { checkOptions, checkSession, checkText, notText, principalOf, toJsonText } from './runtime-input.ts';
import type { RequestBase, RuntimeOptions } from './runtime-options.ts';
import { type Executors, openStore, sourcesOf } from './runtime-parts.ts';
import { Reloader, type ReloadResult } from './runtime-reload.ts';
import { loadSettings, stateFolder } from './runtime-settings.ts';

/**
 * Loads a project with its configuration, opens its state and finds its model: everything, without a command line or a
 * server.
 *
 * Throws a {@link BaigongError}: `PROJECT_FAULTY` with all problems of all files, `MODEL_UNAVAILABLE`,
 * `STORE_UNUSABLE`, `INVALID_OPTION`. What was opened by then is closed again.
 *
 * @example
 * const runtime = await createRuntime({ project: './my-bot' });
 * const { text } = await runtime.run({ text: 'What is 5 km in miles?' }).result;
 * await runtime.close();
 */
export async function createRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  checkOptions(options);
  const root = options.project === undefined ? undefined : resolve(options.project);
  const closing = new AbortController();
  const config = await loadSettings(options, root, closing.signal);
  const { environment, maxChildren } = config.settings.execution;
  const executors: Executors = {
    inline: createInlineExecutor(),
    process: createProcessExecutor({ environment, maxChildren }),
  };
  const state = stateFolder(config, root);
  const sources = sourcesOf(options, root, state, executors);
  const buildTable = createTableBuilder({ parsePermission });
  const load = (number: number, previous?: LoadedGeneration, loaded?: LoadedConfig) =>
    loadAnew({ number, options, root, sources, buildTable, signal: closing.signal }, previous, loaded);
  let first: LoadedGeneration | undefined;
  let store: Store | undefined;
  try {
    first = await load(1, undefined, config);
    if (first.generation === undefined) throw projectFaulty(first.problems);
    store = await openStore(options, root, state);
    const runtime = assemble({ options, root, state, first, load, store, executors, sources, closing });
    await runtime.watch();
    return runtime.face;
  } catch (error) {
    await first?.dispose();
    await Promise.allSettled([executors.inline.close(), executors.process.close(), store?.close()]);
    throw withoutSecrets(toBaigongError(error), config);
  }
}

/** Loads the configuration, then everything that it and the sources say. */
async function loadAnew(
  request: Omit<GenerationRequest, 'config' | 'previous'> & { readonly root: string | undefined },
  previous: LoadedGeneration | undefined,
  loaded: LoadedConfig | undefined,
): Promise<LoadedGeneration> {
  const { root, ...rest } = request;
  const config = loaded ?? (await loadSettings(rest.options, root, rest.signal));
  return loadGeneration({ ...rest, config, ...(previous === undefined ? {} : { previous }) });
}

function projectFaulty(problems: readonly Problem[]): BaigongError {
  const count = problems.filter((problem) => problem.fatal).length;
  return new BaigongError('PROJECT_FAULTY', { reason: text('agent.project-faulty', { count }), problems });
}

interface Parts {
  readonly options: RuntimeOptions;
  readonly root: string | undefined;
  /** The folder in which the state lies, whatever is configured later. */
  readonly state: string;
  readonly first: LoadedGeneration;
  readonly load: (number: number, previous: LoadedGeneration) => Promise<LoadedGeneration>;
  readonly store: Store;
  readonly executors: Executors;
  readonly sources: readonly CapabilitySource[];
  readonly closing: AbortController;
}

function assemble(parts: Parts): { readonly face: Runtime; watch(): Promise<void> } {
  const { options, root, state, first, load, store, executors, sources, closing } = parts;
  const runCall = createDispatch({ executors, fetch: (rules) => createHostFetch({ version: VERSION, rules }) });
  const visibleTools = createVisibleTools();
  const lanes = createSessionLanes();
  const calls = new Set<Promise<Outcome>>();
  /** Turns and direct calls that this runtime works on. */
  const running = new Set<string>();
  const now = Date.now;
  const generations = new Generations(generationOf(first), () => first.dispose());
  let newest = first;
  let number = 1;
  let lastReload: ReloadResult | undefined;
  let closed: Promise<void> | undefined;

  const reloader = new Reloader({
    quietMs: () => generations.current.config.settings.reload.quietMs,
    notice: options.onNotice ?? (() => {}),
    async load() {
      const loaded = await load(number + 1, newest).catch((error: unknown) => {
        if (!ModelError.isInstance(error)) throw error;
        return error;
      });
      if (ModelError.isInstance(loaded)) {
        const message = maskMessage(loaded.reason, createMask(generations.current.config.secretTexts));
        const problem: Problem = { code: 'MODEL_UNAVAILABLE', field: 'ai.model', message, fatal: true };
        lastReload = { status: 'refused', generation: number, problems: [problem] };
        return lastReload;
      }
      const { generation, problems } = loaded;
      const { fingerprint } = generations.current;
      if (generation === undefined || generation.fingerprint === fingerprint || closed !== undefined) {
        // Not waited for: a plugin that tidies up in a busy process takes its time.
        generations.discard(() => loaded.dispose());
        lastReload =
          generation === undefined
            ? { status: 'refused', generation: number, problems }
            : { status: 'unchanged', generation: number };
        return lastReload;
      }
      number += 1;
      newest = loaded;
      generations.replace(generation, () => loaded.dispose());
      const { environment, maxChildren } = generation.config.settings.execution;
      executors.process.configure({ environment, maxChildren });
      if (stateFolder(generation.config, root) !== state) {
        options.onNotice?.({ type: 'restart-needed', path: 'state.folder' });
      }
      lastReload = { status: 'changed', generation: number, problems };
      return lastReload;
    },
  });

  const begin = (request: RequestBase) => {
    if (closed !== undefined) throw new BaigongError('CLOSED', { reason: text('agent.closed') });
    const facts: Facts = {
      origin: Object.freeze({ ...(request.origin ?? { kind: 'api' }) }),
      principal: principalOf(request),
    };
    const sessionKey = checkSession(request.session ?? createId('session', now()));
    return {
      facts,
      sessionKey,
      client: request.client,
      session: sessionValues(store, sessionKey),
      signal: request.signal ?? new AbortController().signal,
    };
  };

  /** Pins the generation that serves when the work begins, not when it was asked for. */
  const pin = ({ facts, client }: { readonly facts: Facts; readonly client: unknown }) => {
    const { content, release } = generations.lease();
    const { table, configOf, services, config } = content;
    return {
      ...content,
      release,
      admitted: admit(table, facts),
      surroundings: { configOf, services, urlRules: config.settings.network, client },
    };
  };

  /** A session that nobody used for long has ended. */
  const endIfIdle = async (sessionKey: string, idleMs: number): Promise<void> => {
    const session = await store.session(sessionKey);
    if (session !== undefined && now() - session.updatedAt > idleMs) await store.resetSession(sessionKey, now());
  };

  const face: Runtime = {
    get table() {
      return generations.current.table;
    },
    get problems() {
      return generations.current.problems;
    },
    get model() {
      const { name, offline } = generations.current.model;
      return { name, offline };
    },
    get locale() {
      return generations.current.locale;
    },
    get configuration() {
      return generations.current.config;
    },
    get lastReload() {
      return lastReload;
    },
    get livingGenerations() {
      return generations.living;
    },
    run(request) {
      const message = checkText(request.text);
      const { facts, sessionKey, client, session, signal } = begin(request);
      const id = createId('turn', now());
      const events = createTurnEvents(id);
      running.add(id);
      const work = async () => {
        const { release, ...held } = pin({ facts, client });
        const { table, admitted, model, limits, locale, timeZone, surroundings } = held;
        try {
          await endIfIdle(sessionKey, held.config.settings.session.idleMs);
          return await runTurn({
            id,
            sessionKey,
            text: message,
            facts,
            table,
            admitted,
            tools: visibleTools(table, admitted),
            model,
            store,
            session,
            surroundings,
            runCall,
            limits,
            locale,
            timeZone,
            signal,
            isRunning: (turnId) => running.has(turnId),
            now,
            emit: (event) => events.emit(event, now()),
          });
        } finally {
          release();
        }
      };
      const result: Promise<TurnResult> = lanes
        .run(sessionKey, signal, work)
        .catch((error: unknown) => {
          // The lane gives the signal's own reason while the turn waits; anything else went wrong later.
          if (!signal.aborted || error !== signal.reason) throw toBaigongError(error);
          return cancelledBeforeStart(id, sessionKey);
        })
        .finally(() => {
          running.delete(id);
          events.end();
        });
      // Whoever only reads the events must not be ended by a rejection that they did not ask for.
      result.catch(() => {});
      return { id, sessionKey, result, [Symbol.asyncIterator]: () => events[Symbol.asyncIterator]() };
    },
    async call(name, input, callOptions = {}) {
      if (typeof name !== 'string') throw notText('name', name);
      const rawInput = toJsonText(input);
      const { facts, sessionKey, client, session, signal } = begin(callOptions);
      const turnId = createId('call', now());
      running.add(turnId);
      const { release, table, admitted, limits, locale, timeZone, surroundings, config } = pin({ facts, client });
      const work = async () => {
        await endIfIdle(sessionKey, config.settings.session.idleMs);
        return callDirectly({
          turnId,
          toolName: name,
          rawInput,
          store,
          runCall,
          scope: {
            table,
            admitted,
            facts,
            byCode: true,
            sessionKey,
            session,
            ...surroundings,
            history: () => store.history(sessionKey, limits.historyTurns, limits.historyChars),
            callers: [],
            repeats: new Map(),
            signal,
            locale,
            timeZone,
            now,
            progress: callOptions.onProgress ?? (() => {}),
          },
        });
      };
      const outcome = work();
      calls.add(outcome);
      return outcome
        .finally(() => {
          calls.delete(outcome);
          running.delete(turnId);
          release();
        })
        .catch((error: unknown) => {
          throw toBaigongError(error);
        });
    },
    async reload() {
      if (closed !== undefined) throw new BaigongError('CLOSED', { reason: text('agent.closed') });
      return reloader.reload().catch((error: unknown) => {
        throw toBaigongError(error);
      });
    },
    resetSession: async (session) => asked(store.resetSession(checkSession(session), now())),
    sessions: (limit = 50) => asked(store.sessions(limit)),
    turns: (session, limit = 50) => asked(store.turns(session, limit)),
    turn: (turnId) => asked(store.turn(turnId)),
    messages: (turnId) => asked(store.messages(turnId)),
    record: (turnId) => asked(store.record(turnId)),
    close() {
      closed ??= (async () => {
        // A load under way is of no use any more.
        closing.abort(new BaigongError('CLOSED', { reason: text('agent.closed') }));
        await reloader.close();
        await Promise.allSettled([lanes.idle(), ...calls]);
        await generations.close();
        await Promise.all([executors.inline.close(), executors.process.close()]);
        await store.close();
      })();
      return closed;
    },
  };
  return {
    face,
    async watch() {
      if (options.watch !== true || !generations.current.config.settings.reload.watch) return;
      await reloader.watch(sources, root, () => generations.current.config.files);
    },
  };
}

function generationOf({ generation }: LoadedGeneration): RuntimeGeneration {
  if (generation === undefined) throw new Error('a generation with fatal problems was to serve');
  return generation;
}

function asked<Answer>(answer: Promise<Answer>): Promise<Answer> {
  return answer.catch((error: unknown) => {
    throw toBaigongError(error);
  });
}

function cancelledBeforeStart(turnId: string, sessionKey: string): TurnResult {
  return {
    turnId,
    sessionKey,
    status: 'cancelled',
    text: '',
    error: { code: 'CANCELLED', message: text('agent.cancelled', { done: '' }) },
    usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0 },
    steps: 0,
  };
}

function sessionValues(store: Store, sessionKey: string): SessionValues {
  return {
    get: (key) => store.getValue(sessionKey, key),
    set: (key, value) => store.setValue(sessionKey, key, value, Date.now()),
    delete: (key) => store.deleteValue(sessionKey, key, Date.now()),
  };
}
