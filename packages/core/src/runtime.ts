import { join, resolve } from 'node:path';
import {
  callDirectly,
  createSessionLanes,
  createTurnEvents,
  createVisibleTools,
  runTurn,
  type Turn,
  type TurnLimits,
  type TurnResult,
} from './agent/index.ts';
import { describeTool } from './authoring/describe-tool.ts';
import { BaigongError } from './contracts/baigong-error.ts';
import type { CallLimits } from './contracts/capability.ts';
import type { CapabilitySource, SourceSnapshot } from './contracts/capability-source.ts';
import type { CapabilityTable } from './contracts/capability-table.ts';
import { createId } from './contracts/create-id.ts';
import type { Message } from './contracts/message.ts';
import type { Outcome } from './contracts/outcome.ts';
import type { Facts } from './contracts/policy.ts';
import type { Principal } from './contracts/principal.ts';
import type { Problem } from './contracts/problem.ts';
import type { RecordEntry } from './contracts/record-entry.ts';
import type { SessionValues } from './contracts/session.ts';
import type { Store, StoredSession, StoredTurn } from './contracts/store.ts';
import { text } from './contracts/texts/text.ts';
import { createDispatch } from './dispatch/index.ts';
import { createInlineExecutor, createProcessExecutor } from './execution/index.ts';
import { ModelError, type ResolvedModel, resolveModel } from './models/index.ts';
import { admit, parsePermission } from './policy/index.ts';
import { buildTable, createDefinitionsSource, createFolderSource } from './registry/index.ts';
import type { CallInput, CallOptions, RequestBase, RunRequest, RuntimeOptions } from './runtime-options.ts';
import { createMemoryStore, createSqliteStore, StoreError } from './store/index.ts';

const MAX_INPUT_CHARS = 1_048_576;
const MAX_SESSION_CHARS = 200;

const DEFAULT_LIMITS: TurnLimits = { maxSteps: 15, timeoutMs: 120_000, historyTurns: 50, historyChars: 400_000 };

const DEFAULT_CALL_LIMITS: CallLimits = { timeoutMs: 10_000, maxOutputChars: 50_000 };

/** Code that embeds the runtime acts for itself unless it says for whom. */
const EMBEDDER: Principal = Object.freeze({
  id: 'api:local:embedder',
  userId: 'embedder',
  role: 'master',
  platformRoles: Object.freeze([]),
  authentication: 'token',
});

/** Everything that `createRuntime` made, ready to answer. */
export interface Runtime {
  readonly table: CapabilityTable;
  /** Warnings; a fatal problem would have kept the runtime from being made. */
  readonly problems: readonly Problem[];
  readonly model: { readonly name: string; readonly offline: boolean };
  /** Answers a message. Turns of one session run one at a time, in the order of these calls. */
  run(request: RunRequest): Turn;
  /** Runs one tool by name through the whole dispatch, hidden ones included. Never rejects for what a tool did. */
  call(name: string, input: CallInput, options?: CallOptions): Promise<Outcome>;
  /** Newest first. */
  sessions(limit?: number): Promise<readonly StoredSession[]>;
  /** Newest first. */
  turns(session?: string, limit?: number): Promise<readonly StoredTurn[]>;
  turn(turnId: string): Promise<StoredTurn | undefined>;
  messages(turnId: string): Promise<readonly Message[]>;
  /** The append-only account of a turn. */
  record(turnId: string): Promise<readonly RecordEntry[]>;
  /** Takes no new work, waits for what is under way, ends child processes, closes the store. */
  close(): Promise<void>;
}

/**
 * Loads a project, opens its state and finds its model: everything, without a command line or a server.
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
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const callLimits = { ...DEFAULT_CALL_LIMITS, ...options.callLimits };
  checkLimits('limits', { ...limits });
  checkLimits('callLimits', callLimits);
  const root = options.project === undefined ? undefined : resolve(options.project);
  const executors = {
    inline: createInlineExecutor(),
    process: createProcessExecutor({ environment: options.toolEnvironment ?? {} }),
  };
  let store: Store | undefined;
  try {
    const { table, problems } = await loadTable(options, root, executors, callLimits);
    const model = await findModel(options);
    store = await openStore(options, root);
    return assemble({ options, limits, table, problems, model, store, executors });
  } catch (error) {
    await Promise.allSettled([executors.inline.close(), executors.process.close(), store?.close()]);
    throw toBaigongError(error);
  }
}

type Executors = {
  readonly inline: ReturnType<typeof createInlineExecutor>;
  readonly process: ReturnType<typeof createProcessExecutor>;
};

async function loadTable(
  options: RuntimeOptions,
  root: string | undefined,
  executors: Executors,
  defaults: CallLimits,
): Promise<{ table: CapabilityTable; problems: readonly Problem[] }> {
  const sources: CapabilitySource[] = [...(options.sources ?? [])];
  if (root !== undefined) {
    sources.push(createFolderSource({ id: 'project', root, provenance: 'project', describer: executors.process }));
  }
  if (options.tools !== undefined) sources.push(createDefinitionsSource({ id: 'code', tools: options.tools }));
  const signal = new AbortController().signal;
  const snapshots: { source: CapabilitySource; snapshot: SourceSnapshot }[] = await Promise.all(
    sources.map(async (source) => ({ source, snapshot: await source.load(signal) })),
  );
  for (const { snapshot } of snapshots) {
    if (snapshot.graph === undefined) continue;
    executors.inline.addGraph(snapshot.graph);
    executors.process.addGraph(snapshot.graph);
  }
  const { table, problems } = await buildTable({ generation: 1, snapshots, parsePermission, defaults });
  if (table === undefined) {
    const count = problems.filter((problem) => problem.fatal).length;
    throw new BaigongError('PROJECT_FAULTY', { reason: text('agent.project-faulty', { count }), problems });
  }
  return { table, problems };
}

async function findModel(options: RuntimeOptions): Promise<ResolvedModel> {
  const { model, environment = process.env, locale = 'en' } = options;
  if (model !== undefined && typeof model !== 'string') {
    return { model, name: `${model.provider}/${model.modelId}`, provider: model.provider, offline: false };
  }
  return resolveModel({ ...(model === undefined ? {} : { model }), environment, locale });
}

async function openStore(options: RuntimeOptions, root: string | undefined): Promise<Store> {
  const { store } = options;
  if (store === 'memory' || (store === undefined && root === undefined)) return createMemoryStore();
  if (store === undefined) return createSqliteStore({ file: join(root ?? '', '.baigong', 'baigong.db') });
  return 'file' in store ? createSqliteStore({ file: resolve(store.file) }) : store;
}

interface Parts {
  readonly options: RuntimeOptions;
  readonly limits: TurnLimits;
  readonly table: CapabilityTable;
  readonly problems: readonly Problem[];
  readonly model: ResolvedModel;
  readonly store: Store;
  readonly executors: Executors;
}

function assemble({ options, limits, table, problems, model, store, executors }: Parts): Runtime {
  const locale = options.locale ?? 'en';
  const timeZone = options.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const config = options.config ?? {};
  const runCall = createDispatch({ executors });
  const visibleTools = createVisibleTools();
  const lanes = createSessionLanes();
  const calls = new Set<Promise<Outcome>>();
  /** Turns and direct calls that this runtime works on. */
  const running = new Set<string>();
  const now = Date.now;
  let closing: Promise<void> | undefined;

  const begin = (request: RequestBase) => {
    if (closing !== undefined) throw new BaigongError('CLOSED', { reason: text('agent.closed') });
    const facts: Facts = {
      origin: Object.freeze({ ...(request.origin ?? { kind: 'api' }) }),
      principal: principalOf(request),
    };
    const sessionKey = checkSession(request.session ?? createId('session', now()));
    return {
      facts,
      sessionKey,
      admitted: admit(table, facts),
      session: sessionValues(store, sessionKey),
      signal: request.signal ?? new AbortController().signal,
    };
  };

  return {
    table,
    problems,
    model: { name: model.name, offline: model.offline },
    run(request) {
      const message = checkText(request.text);
      const { facts, sessionKey, admitted, session, signal } = begin(request);
      const id = createId('turn', now());
      const events = createTurnEvents(id);
      running.add(id);
      const work = () =>
        runTurn({
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
          config,
          runCall,
          limits,
          locale,
          timeZone,
          signal,
          isRunning: (turnId) => running.has(turnId),
          now,
          emit: (event) => events.emit(event, now()),
        });
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
      const { facts, sessionKey, admitted, session, signal } = begin(callOptions);
      const turnId = createId('call', now());
      running.add(turnId);
      const outcome = callDirectly({
        turnId,
        toolName: name,
        rawInput,
        store,
        runCall,
        scope: {
          table,
          admitted,
          facts,
          hiddenCallable: true,
          sessionKey,
          session,
          config,
          repeats: new Map(),
          signal,
          locale,
          timeZone,
          now,
          progress: callOptions.onProgress ?? (() => {}),
        },
      });
      calls.add(outcome);
      return outcome
        .finally(() => {
          calls.delete(outcome);
          running.delete(turnId);
        })
        .catch((error: unknown) => {
          throw toBaigongError(error);
        });
    },
    sessions: (limit = 50) => asked(store.sessions(limit)),
    turns: (session, limit = 50) => asked(store.turns(session, limit)),
    turn: (turnId) => asked(store.turn(turnId)),
    messages: (turnId) => asked(store.messages(turnId)),
    record: (turnId) => asked(store.record(turnId)),
    close() {
      closing ??= (async () => {
        await Promise.allSettled([lanes.idle(), ...calls]);
        await Promise.all([executors.inline.close(), executors.process.close()]);
        await store.close();
      })();
      return closing;
    },
  };
}

/** Errors of the floors below, as the embedded API documents them. */
function toBaigongError(error: unknown): unknown {
  if (ModelError.isInstance(error)) {
    return new BaigongError('MODEL_UNAVAILABLE', { reason: error.reason, cause: error });
  }
  if (StoreError.isInstance(error)) return new BaigongError('STORE_UNUSABLE', { reason: error.reason, cause: error });
  return error;
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
    set: (key, value) => store.setValue(sessionKey, key, value),
    delete: (key) => store.deleteValue(sessionKey, key),
  };
}

function checkText(message: unknown): string {
  if (typeof message !== 'string') throw notText('text', message);
  if (message.trim() === '') throw new BaigongError('INVALID_INPUT', { reason: text('agent.input-empty') });
  if (message.length > MAX_INPUT_CHARS) {
    throw new BaigongError('INVALID_INPUT', {
      reason: text('agent.input-too-long', { length: message.length, limit: MAX_INPUT_CHARS }),
      hint: text('agent.input-too-long-hint'),
    });
  }
  return message;
}

function checkSession(session: unknown): string {
  if (typeof session !== 'string') throw notText('session', session);
  if (session.length === 0 || session.length > MAX_SESSION_CHARS || /[\u0000-\u001f\u007f]/.test(session)) {
    throw new BaigongError('INVALID_INPUT', { reason: text('agent.session-name') });
  }
  return session;
}

/** A caller's object as JSON; what JSON cannot say would be lost without a word. */
function toJsonText(input: CallInput): string {
  if (typeof input === 'string') return input;
  const { faults } = describeTool({ input, execute: () => undefined });
  const [fault] = faults;
  if (fault === undefined && typeof input === 'object' && input !== null) return JSON.stringify(input);
  const found = fault?.found ?? typeof input;
  throw new BaigongError('INVALID_INPUT', { reason: text('agent.not-json', { found }) });
}

function notText(name: string, found: unknown): BaigongError {
  return new BaigongError('INVALID_INPUT', { reason: text('agent.not-text', { name, found: typeof found }) });
}

/** Without a principal the program acts for itself; one that is named and missing must not become its master. */
function principalOf(request: RequestBase): Principal {
  if (!Object.hasOwn(request, 'principal')) return EMBEDDER;
  const { principal } = request;
  if (principal === undefined || principal === null || !['user', 'trusted', 'master'].includes(principal.role)) {
    const found = String(principal?.role);
    throw new BaigongError('INVALID_INPUT', { reason: text('agent.bad-role', { found }) });
  }
  return Object.freeze({ ...principal });
}

/** Timers count in 32 bits; a longer one would go off at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

function checkLimits(option: string, limits: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(limits)) {
    const most = name === 'timeoutMs' ? LONGEST_TIMER_MS : Number.MAX_SAFE_INTEGER;
    if (Number.isSafeInteger(value) && value >= 1 && value <= most) continue;
    throw new BaigongError('INVALID_OPTION', {
      reason: text('agent.bad-option', { name: `${option}.${name}`, found: String(value), expected: `1 … ${most}` }),
    });
  }
}
