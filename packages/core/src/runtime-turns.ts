import {
  callDirectly,
  createAskWatch,
  createSessionBells,
  createTurnEvents,
  ReplyDelivery,
  runTurn,
  type Turn,
  TurnControl,
  type TurnEvents,
  TurnKeeper,
  type TurnRequest,
  type TurnResult,
} from './agent/index.ts';
import type { Message } from './contracts/message.ts';
import type { Outcome } from './contracts/outcome.ts';
import type { Facts } from './contracts/policy.ts';
import type { ReplyChannel } from './contracts/reply.ts';
import type { Claimed, NewTurn, Store } from './contracts/store.ts';
import type { StoredTurn, TurnCancel } from './contracts/stored-turn.ts';
import { text } from './contracts/texts/text.ts';
import type { TurnEvent, UnnumberedTurnEvent } from './contracts/turn-event.ts';
import { ANY, TurnEnds } from './runtime-ends.ts';
import { KeepAlive } from './runtime-keep-alive.ts';

/** What one turn holds of the generation, and how it gives that back. */
export interface HeldTurn {
  readonly request: Omit<
    TurnRequest,
    'turn' | 'epoch' | 'from' | 'fresh' | 'isWaitedFor' | 'store' | 'watch' | 'control' | 'now' | 'emit'
  >;
  readonly release: () => void;
}

export interface RuntimeTurnsOptions {
  readonly store: Store;
  readonly project: string;
  readonly takesUp: boolean;
  readonly replies: ReplyChannel | undefined;
  /** Told of turns that go on without anybody having asked for it. */
  readonly onTakeUp: (turn: Turn) => void;
  /** Pins the generation that serves now, for a turn of this origin and person. */
  readonly hold: (turn: StoredTurn, client: unknown, facts: Facts) => HeldTurn;
  /** Who and where, read anew for a turn that goes on. */
  readonly factsOf: (turn: StoredTurn) => Promise<Facts>;
  readonly retentionMs: () => number;
  readonly now: () => number;
}

interface Running {
  readonly control: TurnControl;
  readonly done: Promise<unknown>;
  cancelled(turn: StoredTurn): void;
}

/** A turn or direct call that somebody in this process waits for. */
interface Begin {
  readonly turn: NewTurn;
  readonly messages: readonly Message[];
  readonly facts: Facts;
  readonly client: unknown;
  readonly signal: AbortSignal;
  readonly supersedes: boolean;
  /** Before it is taken in. */
  readonly before: () => Promise<void>;
  readonly emit: (event: UnnumberedTurnEvent) => void;
}

type WorkEnd = TurnResult | Outcome | 'parked';

/** Before a turn that could not be brought to an end is tried again. Milliseconds. */
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 3_600_000;

/**
 * Turns of other processes, and parked ones, that a process by itself goes on with at the same time: after a restart not
 * all of them ask their models in one moment.
 */
const MOST_AT_WORK = 64;

/** The turns of one runtime: takes them in, gives them their place in the session, runs them, and goes on with others'. */
export class RuntimeTurns {
  readonly #options: RuntimeTurnsOptions;
  readonly #bells = createSessionBells();
  readonly #watch;
  readonly #keeper: TurnKeeper;
  readonly #delivery: ReplyDelivery | undefined;
  readonly #keepAlive = new KeepAlive();
  /** For whoever waits for the end of a turn. */
  readonly ends: TurnEnds;
  readonly #running = new Map<string, Running>();
  /** Turns gone on with here that do something themselves; one that asks a person does not. */
  readonly #atWork = new Set<string>();
  /** Turns that could not be brought to an end here, and when they are tried again. */
  readonly #notBefore = new Map<string, { readonly at: number; readonly afterMs: number }>();
  readonly #closing = new AbortController();
  /** Those that wait for their place are left to other processes. */
  readonly #leaving = new AbortController();

  constructor(options: RuntimeTurnsOptions) {
    const { store, project, takesUp, replies, retentionMs, now } = options;
    this.#options = options;
    this.#watch = createAskWatch(store, now);
    this.ends = new TurnEnds({
      store,
      bells: this.#bells,
      keepAlive: this.#keepAlive,
      isBegun: (id) => this.#running.has(id),
      leaving: this.#leaving.signal,
    });
    this.#delivery = replies === undefined ? undefined : new ReplyDelivery(store, project, replies);
    this.#keeper = new TurnKeeper({
      store,
      project,
      takesUp,
      running: this.#running,
      goOn: (turn) => this.#goOnUnasked(turn).catch(() => {}),
      hasRoom: () => this.#atWork.size < MOST_AT_WORK,
      deliver: () => void this.#delivery?.deliver(),
      onChange: () => {
        this.#bells.ringAll();
        this.#watch.look();
      },
      retentionMs,
      now,
    });
  }

  start(): void {
    this.#keeper.start();
  }

  /** Something in this process changed asks or turns. */
  look(): void {
    this.#watch.look();
    this.#keeper.look();
    this.#bells.ringAll();
  }

  /** Takes a turn in and runs it when its place comes. The same message twice is one turn. */
  async begin(begin: Begin): Promise<WorkEnd | { readonly duplicateOf: string }> {
    const { store } = this.#options;
    const { turn, signal, supersedes } = begin;
    const control = new TurnControl();
    const onAbort = () => control.cancel('asked');
    signal.addEventListener('abort', onAbort, { once: true });
    const { promise: done, resolve: finish } = Promise.withResolvers<void>();
    this.#running.set(turn.id, runningOf(control, done));
    const release = this.#keepAlive.hold();
    try {
      await begin.before();
      const taken = await store.takeIn(turn, begin.messages, []);
      if (taken.kind === 'seen') return { duplicateOf: taken.turnId };
      if (signal.aborted) onAbort();
      if (supersedes && taken.kind === 'queued') await this.#supersede(turn);
      let epoch = taken.kind === 'running' ? taken.epoch : undefined;
      let from: TurnRequest['from'] = 'new';
      if (epoch === undefined) {
        from = 'queued';
        epoch = await this.#place(turn.id, turn.sessionKey, control);
      }
      if (epoch === undefined) return await this.ends.stored(turn.id);
      const stored = storedOf(turn, epoch, store.holder);
      const { facts, client, emit } = begin;
      const fresh = taken.kind === 'running' && taken.alone ? { fresh: begin.messages } : {};
      return await this.#work(stored, { epoch, from, control, emit, isWaitedFor: true, ...fresh }, facts, client);
    } finally {
      signal.removeEventListener('abort', onAbort);
      release();
      this.#leave(turn.id, turn.sessionKey);
      finish();
    }
  }

  /**
   * Goes on with a turn that nobody works on. Undefined: another process was faster, its place is taken, or (unless
   * `atOnce`) it failed here a short while ago.
   */
  async goOn(turn: StoredTurn, atOnce = false): Promise<Turn | undefined> {
    const { store, now } = this.#options;
    if (this.#running.has(turn.id)) return undefined;
    if (!atOnce && (this.#notBefore.get(turn.id)?.at ?? 0) > now()) return undefined;
    const control = new TurnControl();
    const { promise: done, resolve: finish } = Promise.withResolvers<void>();
    this.#running.set(turn.id, runningOf(control, done));
    this.#atWork.add(turn.id);
    let claimed: Claimed = { kind: 'gone' };
    try {
      claimed = await store.claim(turn.id, now(), (id) => id !== turn.id && this.#running.has(id));
    } finally {
      if (claimed.kind !== 'claimed') {
        this.#running.delete(turn.id);
        this.#atWork.delete(turn.id);
        finish();
      }
    }
    if (claimed.kind !== 'claimed') return undefined;
    const { epoch, from } = claimed;
    const events = createTurnEvents(turn.id);
    const release = this.#keepAlive.hold();
    const work = async (): Promise<TurnResult> => {
      try {
        const current = (await store.turn(turn.id)) ?? turn;
        const facts = await this.#options.factsOf(current);
        const emit = (event: UnnumberedTurnEvent) => {
          if (event.type === 'ask-open') this.#atWork.delete(turn.id);
          events.emit(event, now());
        };
        const end = await this.#work(current, { epoch, from, control, emit, isWaitedFor: false }, facts, undefined);
        return typeof end === 'object' && 'turnId' in end ? end : await this.ends.stored(turn.id);
      } finally {
        release();
        this.#leave(turn.id, turn.sessionKey);
        finish();
        events.end();
      }
    };
    const result = work();
    result.catch(() => {});
    return turnOf(turn, events, result);
  }

  async #goOnUnasked(stored: StoredTurn): Promise<void> {
    const turn = await this.goOn(stored);
    if (turn !== undefined) this.#options.onTakeUp(turn);
  }

  /** Everything that can go on now. */
  async takeUp(): Promise<readonly Turn[]> {
    const { store, project, now } = this.#options;
    for (const { id } of await store.overdueAsks(now())) await store.answerAsk(id, { kind: 'expired', at: now() });
    const turns: Turn[] = [];
    for (const stored of await store.resumable(project, now(), (id) => this.#running.has(id))) {
      const turn = await this.goOn(stored);
      if (turn !== undefined) turns.push(turn);
    }
    return turns;
  }

  /** Wants a turn to end, wherever it runs. False: it has ended already. */
  async cancel(turnId: string, by: string, reason: TurnCancel['reason']): Promise<boolean> {
    const { store, now } = this.#options;
    if (!(await store.requestCancel(turnId, { at: now(), by, reason }))) return false;
    const running = this.#running.get(turnId);
    if (running !== undefined) running.control.cancel(reason);
    else {
      const stored = await store.turn(turnId);
      if (stored !== undefined && stored.status !== 'running') await this.goOn(stored);
    }
    this.look();
    return true;
  }

  /** Takes nothing new up, parks what waits; after `graceMs` what runs is cut off. */
  async close(graceMs: number | undefined): Promise<void> {
    this.#keeper.stop();
    for (const { control } of this.#running.values()) control.park('when-it-waits');
    this.#leaving.abort(new Error('the runtime closes'));
    const all = Promise.allSettled([...this.#running.values()].map(({ done }) => done));
    if (graceMs !== undefined) {
      let timer: NodeJS.Timeout | undefined;
      const grace = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, graceMs);
      });
      await Promise.race([all, grace]);
      clearTimeout(timer);
      this.#closing.abort(new Error('the runtime closes'));
      for (const { control } of this.#running.values()) control.park('now');
    }
    await all;
    await this.#keeper.close();
    // What is left in the queue is for others now, even if this program goes on.
    if (graceMs !== undefined) await this.#options.store.leave().catch(() => {});
    await this.#delivery?.close();
    this.#watch.close();
  }

  /** Waits for the turn's place in its session. Undefined: it ended meanwhile, by another process. */
  async #place(turnId: string, sessionKey: string, control: TurnControl): Promise<number | undefined> {
    const { store, now } = this.#options;
    let isWanted = true;
    for (;;) {
      const changed = this.#bells.wait(sessionKey, AbortSignal.any([control.signal, this.#closing.signal]));
      changed.catch(() => {});
      if (control.signal.aborted && isWanted) {
        isWanted = false;
        const reason = control.cancelledBecause ?? 'asked';
        await store.requestCancel(turnId, { at: now(), by: '', reason });
      }
      const claimed = await store.claim(turnId, now(), (id) => id !== turnId && this.#running.has(id));
      if (claimed.kind === 'claimed') return claimed.epoch;
      if (claimed.kind === 'gone') return undefined;
      await this.#settle(sessionKey);
      try {
        await changed;
      } catch {
        // Left in the queue for the next process, or cancelled: then it is claimed for that.
        if (!control.signal.aborted) return undefined;
      }
    }
  }

  /** Turns in the way whose process is no more: those of this project go on first, others end as interrupted. */
  async #settle(sessionKey: string): Promise<void> {
    const { store, project, now } = this.#options;
    const isRunning = (id: string) => this.#running.has(id);
    for (const turn of await store.openTurns({ sessionKey })) {
      if (!turn.inLane || turn.status !== 'running' || isRunning(turn.id)) continue;
      if (turn.project === project) {
        const gone = await this.goOn(turn, true);
        if (gone !== undefined) this.#options.onTakeUp(gone);
        continue;
      }
      const claimed = await store.claim(turn.id, now(), isRunning);
      if (claimed.kind !== 'claimed') continue;
      const error = { code: 'INTERNAL', message: text('agent.interrupted', { done: '' }) } as const;
      const end = {
        move: 'turn.end',
        status: 'failed',
        activeMs: turn.activeMs,
        error,
        reply: false,
      } as const;
      await store.commit({ turnId: turn.id, epoch: claimed.epoch }, { at: now(), turn: end }, true);
    }
  }

  async #supersede({ id, sessionKey }: NewTurn): Promise<void> {
    for (const turn of await this.#options.store.openTurns({ sessionKey })) {
      if (turn.id === id || !turn.inLane || turn.status === 'parked') continue;
      await this.cancel(turn.id, id, 'superseded');
    }
  }

  async #work(
    turn: StoredTurn,
    own: Pick<TurnRequest, 'epoch' | 'from' | 'fresh' | 'control' | 'emit' | 'isWaitedFor'>,
    facts: Facts,
    client: unknown,
  ): Promise<WorkEnd> {
    const { store, hold, now } = this.#options;
    const { request, release } = hold(turn, client, facts);
    try {
      const whole: TurnRequest = { ...request, ...own, turn, store, watch: this.#watch, now };
      const end = await (turn.request.call === undefined ? runTurn(whole) : callDirectly(whole));
      this.#notBefore.delete(turn.id);
      return end;
    } catch (error) {
      // A store that fails, or a fault of ours: it is tried again, ever more rarely.
      const waited = this.#notBefore.get(turn.id)?.afterMs ?? FIRST_PAUSE_MS / 2;
      const afterMs = Math.min(2 * waited, LONGEST_PAUSE_MS);
      this.#notBefore.set(turn.id, { at: now() + afterMs, afterMs });
      throw error;
    } finally {
      release();
    }
  }

  #leave(turnId: string, sessionKey: string): void {
    this.#running.delete(turnId);
    this.#atWork.delete(turnId);
    this.#bells.ring(sessionKey);
    this.#bells.ring(ANY);
    this.#keeper.look();
  }
}

function runningOf(control: TurnControl, done: Promise<unknown>): Running {
  return { control, done, cancelled: ({ cancel }) => control.cancel(cancel?.reason ?? 'asked') };
}

function storedOf(turn: NewTurn, epoch: number, holder: string): StoredTurn {
  const { id, sessionKey, at, inLane, project, request } = turn;
  return { id, sessionKey, status: 'running', startedAt: at, holder, epoch, inLane, project, request, activeMs: 0 };
}

function turnOf({ id, sessionKey }: StoredTurn, events: TurnEvents, result: Promise<TurnResult>): Turn {
  return {
    id,
    sessionKey,
    result,
    [Symbol.asyncIterator]: (): AsyncIterator<TurnEvent> => events[Symbol.asyncIterator](),
  };
}
