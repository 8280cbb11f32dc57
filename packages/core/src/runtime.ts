import { resolve } from 'node:path';
import { createTurnEvents, createVisibleTools, reviewCall, type TurnResult } from './agent/index.ts';
import { createMask, type LoadedConfig, maskMessage } from './config/index.ts';
import { BaigongError } from './contracts/baigong-error.ts';
import type { CapabilitySource } from './contracts/capability-source.ts';
import { createId } from './contracts/create-id.ts';
import type { UserMessage } from './contracts/message.ts';
import type { Outcome } from './contracts/outcome.ts';
import type { Facts } from './contracts/policy.ts';
import type { Origin } from './contracts/principal.ts';
import type { Problem } from './contracts/problem.ts';
import type { SessionValues } from './contracts/session.ts';
import type { NewTurn, Store } from './contracts/store.ts';
import type { StoredRequest, StoredTurn } from './contracts/stored-turn.ts';
import { text } from './contracts/texts/text.ts';
import { VERSION } from './contracts/version.ts';
import { createDispatch, createHostFetch } from './dispatch/index.ts';
import { createInlineExecutor, createProcessExecutor } from './execution/index.ts';
import { ModelError } from './models/index.ts';
import { admit, parsePermission } from './policy/index.ts';
import { createTableBuilder, Generations } from './registry/index.ts';
import { answerAsk } from './runtime-answer.ts';
import { toBaigongError, withoutSecrets } from './runtime-errors.ts';
import type { Runtime } from './runtime-face.ts';
import { factsAnew } from './runtime-facts.ts';
import {
  type GenerationRequest,
  type LoadedGeneration,
  loadGeneration,
  type RuntimeGeneration,
} from './runtime-generation.ts';
import { checkOptions, checkSession, checkText, notText, principalOf, toJsonText } from './runtime-input.ts';
import type { RequestBase, RuntimeOptions } from './runtime-options.ts';
import { type Executors, openStore, projectName, sourcesOf } from './runtime-parts.ts';
import { Reloader, type ReloadResult } from './runtime-reload.ts';
import { loadSettings, stateFolder } from './runtime-settings.ts';
import { checkAnswer, checkClose, checkId, checkQuery, checkRequest, checkTarget } from './runtime-shapes.ts';
import { type HeldTurn, RuntimeTurns } from './runtime-turns.ts';

const NEVER = new AbortController().signal;

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
    store = await openStore(options, { root, state, durability: config.settings.state.durability });
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
  const calls = new Set<Promise<Outcome>>();
  const now = Date.now;
  const generations = new Generations(generationOf(first), () => first.dispose());
  const project = projectName(root, state);
  let newest = first;
  let number = 1;
  let lastReload: ReloadResult | undefined;
  let closed: Promise<void> | undefined;

  const turns = new RuntimeTurns({
    store,
    project,
    takesUp: options.takeUp ?? true,
    replies: options.replies,
    onTakeUp: options.onTakeUp ?? (() => {}),
    hold: (turn, client, facts) => hold(turn, client, facts),
    factsOf: (turn) => factsAnew(turn, options.roleOf),
    retentionMs: () => generations.current.config.settings.state.retentionMs,
    now,
  });

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

  /** What a request says of who and where; the rest is read when the turn has its place. */
  const begin = (request: RequestBase, call?: StoredRequest['call'], deliver = false) => {
    if (closed !== undefined) throw new BaigongError('CLOSED', { reason: text('agent.closed') });
    const origin: Origin = Object.freeze({ ...(request.origin ?? { kind: 'api' }) });
    const facts: Facts = { origin, principal: principalOf(request) };
    const sessionKey = checkSession(request.session ?? createId('session', now()));
    const attended = request.attended ?? (origin.kind === 'im' || origin.kind === 'console');
    const { adapter, endpoint, messageId } = origin;
    const { locale, timeZone } = generations.current;
    const turn: NewTurn = {
      id: createId(call === undefined ? 'turn' : 'call', now()),
      sessionKey,
      at: now(),
      inLane: call === undefined,
      project,
      request: { ...facts, attended, deliver, locale, timeZone, ...(call === undefined ? {} : { call }) },
      ...(adapter === undefined || endpoint === undefined || messageId === undefined
        ? {}
        : { message: { adapter, endpoint, messageId } }),
    };
    return { turn, facts, client: request.client, signal: request.signal ?? NEVER };
  };

  /** Pins the generation that serves when the work begins, not when it was asked for. */
  const hold = (turn: StoredTurn, client: unknown, facts: Facts): HeldTurn => {
    const { content, release } = generations.lease();
    const { table, configOf, services, config, model, limits, approval, reviewer, mask } = content;
    const { settings } = config;
    const admitted = admit(table, facts);
    const { attended, locale = content.locale, timeZone = content.timeZone } = turn.request;
    const { timeoutMs, answerByMs, useByMs, dangerousUseByMs } = settings.approval;
    return {
      release,
      request: {
        facts,
        table,
        admitted,
        tools: visibleTools(table, admitted, attended),
        model,
        session: sessionValues(store, turn.sessionKey),
        surroundings: { configOf, services, urlRules: settings.network, client },
        runCall,
        limits,
        approval,
        askTimes: { timeoutMs, answerByMs, useByMs, dangerousUseByMs },
        canAsk: attended || settings.approval.unattended === 'wait',
        mask,
        ...(reviewer === undefined
          ? {}
          : { review: (ask, signal) => reviewCall({ model: reviewer, ask, signal, locale }) }),
        keepsRecord: settings.record.enabled,
        locale,
        timeZone,
      },
    };
  };

  /** A session that nobody used for long has ended. */
  const endIfIdle = async (sessionKey: string): Promise<void> => {
    const { idleMs } = generations.current.config.settings.session;
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
      checkRequest(request);
      const message = checkText(request.text);
      const begun = begin(request, undefined, request.deliver);
      const { turn, facts } = begun;
      const { id, sessionKey } = turn;
      const events = createTurnEvents(id);
      const user: UserMessage = { role: 'user', turnId: id, at: turn.at, speakerId: facts.principal.id, text: message };
      const overlap = request.overlap ?? generations.current.config.settings.session.overlap;
      const work = async (): Promise<TurnResult> => {
        const end = await turns.begin({
          ...begun,
          messages: [user],
          supersedes: overlap === 'supersede',
          before: () => endIfIdle(sessionKey),
          emit: (event) => events.emit(event, now()),
        });
        if (typeof end === 'object' && 'turnId' in end) return end;
        if (typeof end === 'object' && 'duplicateOf' in end) return duplicate(end.duplicateOf, sessionKey);
        throw new Error('a turn ended as a call');
      };
      const result = asked(work()).finally(() => events.end());
      // Whoever only reads the events must not be ended by a rejection that they did not ask for.
      result.catch(() => {});
      return { id, sessionKey, result, [Symbol.asyncIterator]: () => events[Symbol.asyncIterator]() };
    },
    async call(name, input, callOptions = {}) {
      if (typeof name !== 'string') throw notText('name', name);
      checkRequest(callOptions);
      const begun = begin(callOptions, { toolName: name, rawInput: toJsonText(input) });
      const { id, sessionKey } = begun.turn;
      const work = async (): Promise<Outcome> => {
        const end = await turns.begin({
          ...begun,
          messages: [],
          supersedes: false,
          before: () => endIfIdle(sessionKey),
          emit: (event) => {
            if (event.type === 'tool-progress') callOptions.onProgress?.(event.value);
            if (event.type === 'ask-open') callOptions.onAsk?.(event.ask, { holds: event.holds === true });
          },
        });
        if (typeof end === 'object' && 'durationMs' in end) return end;
        return turns.ends.outcome(id, begun.signal);
      };
      const outcome = work();
      calls.add(outcome);
      return asked(outcome.finally(() => calls.delete(outcome)));
    },
    asks: async (query = { states: ['open'] }) => asked(store.asks(checkQuery(query))),
    ask: async (idOrCode) => asked(store.ask(checkId('code', idOrCode))),
    async answer(idOrCode, input, by = {}) {
      checkAnswer(idOrCode, input, by);
      const { approval: rules } = generations.current;
      const result = await asked(answerAsk({ store, idOrCode, input, by, rules, now }));
      turns.look();
      return result;
    },
    async cancel(target, by = {}) {
      checkTarget(target, by);
      const who = by.principal?.id ?? '';
      const open = 'turn' in target ? [] : await asked(store.openTurns({ sessionKey: checkSession(target.session) }));
      const ids =
        'turn' in target
          ? [target.turn]
          : open.filter(({ inLane, status }) => inLane && status !== 'parked').map(({ id }) => id);
      const ended: string[] = [];
      for (const id of ids) if (await asked(turns.cancel(id, who, 'asked'))) ended.push(id);
      return { turns: ended };
    },
    ended: async (turnId, signal = NEVER) => asked(turns.ends.result(checkId('turn', turnId), signal)),
    takeUp: () => asked(turns.takeUp()),
    replies: () => asked(store.replies(project)),
    calls: async (turnId) => asked(store.calls(checkId('turn', turnId))),
    async reload() {
      if (closed !== undefined) throw new BaigongError('CLOSED', { reason: text('agent.closed') });
      return reloader.reload().catch((error: unknown) => {
        throw toBaigongError(error);
      });
    },
    resetSession: async (session) => asked(store.resetSession(checkSession(session), now())),
    sessions: (limit = 50) => asked(store.sessions(limit)),
    turns: (session, limit = 50) => asked(store.turns(session, limit)),
    turn: async (turnId) => asked(store.turn(checkId('turn', turnId))),
    messages: async (turnId) => asked(store.messages(checkId('turn', turnId))),
    record: async (turnId) => asked(store.record(checkId('turn', turnId))),
    async close(options = {}) {
      const { graceMs } = checkClose(options);
      closed ??= (async () => {
        // A load under way is of no use any more.
        closing.abort(new BaigongError('CLOSED', { reason: text('agent.closed') }));
        await reloader.close();
        await turns.close(graceMs);
        await Promise.allSettled(calls);
        await generations.close();
        await Promise.all([executors.inline.close(), executors.process.close()]);
        await store.close();
      })();
      return closed;
    },
  };
  turns.start();
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

/** The turn that its message began before. */
function duplicate(turnId: string, sessionKey: string): TurnResult {
  const usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
  return { turnId, sessionKey, status: 'duplicate', text: '', usage, steps: 0 };
}

function sessionValues(store: Store, sessionKey: string): SessionValues {
  return {
    get: (key) => store.getValue(sessionKey, key),
    set: (key, value) => store.setValue(sessionKey, key, value, Date.now()),
    delete: (key) => store.deleteValue(sessionKey, key, Date.now()),
  };
}
