import type { AssistantMessage, Message } from '../contracts/message.ts';
import type { CallMove } from '../contracts/store.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import type { TurnError, TurnErrorCode, TurnStatus } from '../contracts/turn-event.ts';
import type { Usage } from '../contracts/usage.ts';
import { callEnd } from '../dispatch/index.ts';
import { ModelError, type ModelStep } from '../models/index.ts';
import { StoreError } from '../store/store-error.ts';
import { askModel } from './ask-model.ts';
import { describeDone } from './describe-done.ts';
import { endBelow } from './end-below.ts';
import { endCalls } from './end-calls.ts';
import { parkedNote } from './parked-note.ts';
import { addUsage, restoreTurn, spokenText } from './restore-turn.ts';
import { StepCalls } from './step-calls.ts';
import { TurnClock } from './turn-clock.ts';
import type { TurnRequest, TurnResult } from './turn-request.ts';
import { turnResult } from './turn-result.ts';
import { turnStartBody } from './turn-start-body.ts';
import { TurnWork } from './turn-work.ts';

/** Steps in a row whose calls were all refused as repeats, after which the turn ends. */
const MAX_REPEATED_STEPS = 2;

/** Takes of one turn that brought nothing, after which nobody goes on with it. */
const MAX_TAKES = 5;

/** Ways in which a model ends other than by having said all. */
const CUT: ReadonlyMap<string, 'agent.answer-cut' | 'agent.answer-withheld'> = new Map([
  ['length', 'agent.answer-cut'],
  ['content-filter', 'agent.answer-withheld'],
]);

interface End {
  readonly status: TurnStatus;
  readonly error?: TurnError;
}

/**
 * Answers one message, from wherever the turn is stored to have come: asks the model, runs the calls that it makes, hands
 * their outcomes back, until it answers without a call, a limit is reached, or the turn parks. A model answer is stored
 * with all its calls before any of them is looked at, and each call gets exactly one result. Never rejects for what a
 * model, a tool or a person did; rejects when the store fails.
 */
export async function runTurn(request: TurnRequest): Promise<TurnResult> {
  const { turn, store, emit } = request;
  const running = await RunningTurn.open(request);
  try {
    return await running.run();
  } catch (error) {
    if (!StoreError.isInstance(error) || error.code !== 'LEASE_LOST') throw error;
    // Another process took it over, and whatever it comes to is said there.
    emit({ type: 'turn-parked', asks: [] });
    return turnResult((await store.turn(turn.id)) ?? { ...turn, status: 'parked' }, await store.messages(turn.id));
  } finally {
    running.release();
  }
}

class RunningTurn {
  readonly #request: TurnRequest;
  readonly #history: readonly Message[];
  /** Messages of this turn, those that are not stored yet included. */
  readonly #messages: Message[];
  readonly #system: string;
  readonly #work: TurnWork;
  readonly #calls: StepCalls;
  readonly #clock: TurnClock;
  /** Ends model requests and keeps calls from starting. */
  readonly #stop = new AbortController();
  readonly #onCancel = () => {
    this.#stop.abort();
    this.#work.stopAll(this.#request.control.signal.reason);
  };
  readonly #said: string[];
  #usage: Usage;
  #step: number;
  #pending: AssistantMessage['calls'];
  #repeatedSteps = 0;
  #timedOut = false;
  #parkTimer: NodeJS.Timeout | undefined;

  static async open(request: TurnRequest): Promise<RunningTurn> {
    const { turn, store, limits, locale, fresh } = request;
    const [history, messages, note] = await Promise.all([
      store.history(turn.sessionKey, limits.historyTurns, limits.historyChars),
      fresh ?? store.messages(turn.id),
      fresh === undefined ? parkedNote(store, turn.sessionKey, turn.id, locale) : '',
    ]);
    const system = renderText(text('agent.system'), locale);
    const whole = note === '' ? system : `${system}\n\n${note}`;
    return new Promise((resolve, reject) => {
      let opened: RunningTurn | undefined;
      const options = {
        request,
        byCode: false,
        allDecided: async (id: AssistantMessage['calls'][number]['id']) => opened?.allDecided(id),
        onWaits: (onlyWaits: boolean) => opened?.onWaits(onlyWaits),
        history: async () => opened?.seen() ?? [],
      };
      TurnWork.open(options)
        .then((work) => {
          opened = new RunningTurn(request, work, history, messages, whole);
          resolve(opened);
        })
        .catch(reject);
    });
  }

  constructor(
    request: TurnRequest,
    work: TurnWork,
    history: readonly Message[],
    messages: readonly Message[],
    system: string,
  ) {
    const { turn, limits, control } = request;
    const { step, usage, said, pending } = restoreTurn(messages);
    this.#request = request;
    this.#work = work;
    this.#history = history;
    this.#messages = [...messages];
    this.#system = system;
    this.#step = step;
    this.#usage = usage;
    this.#said = [...said];
    this.#pending = pending;
    this.#calls = new StepCalls(request, work, this.#stop.signal);
    this.#clock = new TurnClock(limits.timeoutMs, turn.activeMs, () => {
      this.#timedOut = true;
      this.#stop.abort();
      // A call that runs is left to its own limit.
      this.#calls.stopUnstarted();
    });
    control.signal.addEventListener('abort', this.#onCancel, { once: true });
    if (turn.cancel !== undefined) control.cancel(turn.cancel.reason);
    if (control.signal.aborted) this.#onCancel();
    control.onParking(() => {
      if (control.parking === 'now') {
        this.#stop.abort();
        this.#calls.halt();
      }
      const { onlyWaits, mayPark } = work.activity;
      if (control.parking === 'now' || (onlyWaits && mayPark)) work.asks.park();
    });
  }

  allDecided(id: AssistantMessage['calls'][number]['id']): Promise<void> {
    return this.#calls.allDecided(id);
  }

  seen(): readonly Message[] {
    return [...this.#history, ...this.#messages];
  }

  onWaits(onlyWaits: boolean): void {
    clearTimeout(this.#parkTimer);
    if (!onlyWaits) {
      this.#clock.run();
      return;
    }
    this.#clock.pause();
    const { control, limits, turn } = this.#request;
    const { asks, activity } = this.#work;
    if (!activity.mayPark) return;
    // Nobody is at hand: what it gives back now it need not hold.
    const afterMs = turn.request.attended && control.parking === 'no' ? limits.parkAfterMs : 0;
    this.#parkTimer = setTimeout(() => asks.park(), afterMs);
  }

  async run(): Promise<TurnResult> {
    const { emit, turn, table, model, from } = this.#request;
    const { sessionKey } = turn;
    const isNew = from === 'new' || from === 'queued';
    this.#record(isNew ? 'turn-start' : 'turn-resumed', turnStartBody(this.#request));
    const type = isNew ? 'turn-start' : 'turn-resumed';
    emit({ type, sessionKey, generation: table.generation, model: model.name });
    this.#clock.run();
    let end: End | 'parked';
    try {
      end = await this.#answer();
    } catch (error) {
      if (StoreError.isInstance(error) && error.code === 'LEASE_LOST') throw error;
      // What a step commits is not lost by a fault that comes after it; the turn ends and says so.
      const reason = error instanceof Error ? error.message : String(error);
      this.#record('fault', { stack: stackOf(error) });
      end = { status: 'failed', error: { code: 'INTERNAL', message: text('agent.internal', { reason }) } };
    }
    this.#clock.pause();
    if (end === 'parked') return this.#park();
    await this.#end(end);
    const { status, error } = end;
    emit({ type: 'turn-end', status, ...(error === undefined ? {} : { error }), usage: this.#usage });
    return { ...this.#progress(), status, ...(error === undefined ? {} : { error }) };
  }

  /** Lets go of timers and signals. */
  release(): void {
    this.#clock.pause();
    clearTimeout(this.#parkTimer);
    this.#work.asks.close();
    this.#request.control.signal.removeEventListener('abort', this.#onCancel);
  }

  async #answer(): Promise<End | 'parked'> {
    const { limits } = this.#request;
    let restarted = this.#request.from === 'running';
    if (restarted && (await this.#isHopeless())) {
      return { status: 'failed', error: this.#error('INTERNAL', 'agent.gave-up', { times: this.#request.epoch - 1 }) };
    }
    for (;;) {
      if (this.#stop.signal.aborted) return this.#stopped();
      if (this.#pending.length > 0) {
        const isParked = await this.#runPending();
        if (isParked) return 'parked';
        if (this.#repeatedSteps >= MAX_REPEATED_STEPS) {
          return { status: 'limit', error: this.#error('REPEATED_CALLS', 'agent.repeated-calls', {}) };
        }
        continue;
      }
      if (this.#step >= limits.maxSteps) {
        return { status: 'limit', error: this.#error('MAX_STEPS', 'agent.max-steps', { steps: limits.maxSteps }) };
      }
      this.#step++;
      let answer: ModelStep;
      try {
        answer = await this.#askModel(restarted);
        restarted = false;
      } catch (error) {
        if (this.#stop.signal.aborted) {
          this.#step--;
          return this.#stopped();
        }
        if (!ModelError.isInstance(error)) throw error;
        this.#record('model-error', { step: this.#step, stack: stackOf(error.cause ?? error) });
        return { status: 'failed', error: { code: 'MODEL_UNAVAILABLE', message: error.reason } };
      }
      const message = this.#assistantMessage(answer);
      const said = spokenText(message);
      if (said !== '') this.#said.push(said);
      this.#work.ledger.gather([message]);
      this.#messages.push(message);
      if (message.calls.length === 0) {
        const cut = CUT.get(answer.finishReason);
        if (cut === undefined) return { status: 'done' };
        return { status: 'limit', error: { code: 'ANSWER_CUT', message: text(cut) } };
      }
      // Stored before any call is looked at.
      await this.#work.ledger.move(
        message.calls.map(({ id }): CallMove => ({ move: 'call.propose', id })),
        false,
      );
      this.#pending = message.calls;
    }
  }

  /** It was cut off again and again without getting anywhere: perhaps it is what ends the processes that run it. */
  async #isHopeless(): Promise<boolean> {
    const { turn, store, epoch } = this.#request;
    const asks = await store.asks({ turnId: turn.id });
    return epoch > MAX_TAKES + 2 * asks.length + this.#messages.length;
  }

  /** True: some of them wait, and the turn with them. */
  async #runPending(): Promise<boolean> {
    const { results, isParked } = await this.#calls.run(this.#pending);
    this.#messages.push(...results);
    if (isParked) return true;
    this.#pending = [];
    const repeated = results.every(({ outcome }) => outcome.status === 'error' && outcome.code === 'DUPLICATE_CALL');
    this.#repeatedSteps = repeated ? this.#repeatedSteps + 1 : 0;
    return false;
  }

  async #askModel(restarted: boolean): Promise<ModelStep> {
    const { emit } = this.#request;
    const step = this.#step;
    emit({ type: 'step-start', step, ...(restarted ? { restarted: true as const } : {}) });
    const { tools } = this.#request;
    this.#record('model-request', { step, messages: this.seen().length, tools: tools.length });
    const answer = await askModel(this.#request, this.seen(), this.#system, step, this.#stop.signal);
    this.#usage = addUsage(this.#usage, answer.usage);
    const { finishReason, usage, calls } = answer;
    this.#record('model-answer', { step, finishReason, usage: { ...usage }, calls: calls.length });
    return answer;
  }

  #assistantMessage(answer: ModelStep): AssistantMessage {
    const { turn, now } = this.#request;
    const step = this.#step;
    return {
      role: 'assistant',
      turnId: turn.id,
      at: now(),
      step,
      parts: answer.parts,
      usage: answer.usage,
      calls: answer.calls.map((call, index) => ({
        ...call,
        // Cut before their first character, arguments look like those of a call that needs none.
        rawInput: answer.finishReason === 'length' && call.rawInput.trim() === '' ? '{' : call.rawInput,
        id: `${turn.id}.${step}.${index}` as const,
        turnId: turn.id,
        step,
        index,
      })),
    };
  }

  async #park(): Promise<TurnResult> {
    const { emit } = this.#request;
    const { ledger, asks } = this.#work;
    const open = await asks.open();
    this.#record('turn-parked', { asks: open.map(({ id, code }) => ({ id, code })) });
    await ledger.commit({ turn: { move: 'turn.park', activeMs: this.#clock.activeMs } }, true);
    emit({ type: 'turn-parked', asks: open });
    return { ...this.#progress(), status: 'parked', asks: open };
  }

  /** Writes the end. A turn that ended without an answer leaves a note in the history, so that the next one knows. */
  async #end({ status, error }: End): Promise<void> {
    const { turn, now, locale, table, isWaitedFor } = this.#request;
    const { ledger } = this.#work;
    const at = now();
    const results = endCalls(this.#pending, (id) => ledger.find(id), turn.id, at);
    const ends = results.flatMap(({ callId, toolName, outcome }): readonly CallMove[] => {
      const stored = ledger.find(callId);
      const below = endBelow(callId, ledger, table);
      return stored === undefined ? below : [...below, callEnd(stored, outcome, table.get(toolName), false)];
    });
    ledger.gather(results, ends);
    if (error !== undefined) ledger.gather([this.#note(error, at, locale)]);
    this.#record('turn-end', { status, error: error?.code ?? null, usage: { ...this.#usage }, steps: this.#step });
    const { activeMs } = this.#clock;
    const reply = turn.request.deliver || !isWaitedFor;
    const end = { move: 'turn.end', status, activeMs, reply, ...(error === undefined ? {} : { error }) } as const;
    await ledger.commit({ turn: end }, true);
  }

  #note(error: TurnError, at: number, locale: TurnRequest['locale']): AssistantMessage {
    // What broke is for people and the record; the model learns that something did.
    const message = error.code === 'INTERNAL' ? text('agent.internal-note') : error.message;
    const parts = [{ type: 'text', text: renderText(message, locale) }] as const;
    return { role: 'assistant', turnId: this.#request.turn.id, at, step: this.#step, parts, calls: [] };
  }

  #progress(): Omit<TurnResult, 'status'> {
    const { id: turnId, sessionKey } = this.#request.turn;
    return { turnId, sessionKey, text: this.#said.join('\n\n'), usage: this.#usage, steps: this.#step };
  }

  #stopped(): End | 'parked' {
    const { control, limits } = this.#request;
    if (control.signal.aborted) {
      const key = control.cancelledBecause === 'superseded' ? 'agent.superseded' : 'agent.cancelled';
      return { status: 'cancelled', error: this.#error('CANCELLED', key, {}) };
    }
    if (!this.#timedOut) return 'parked';
    const seconds = limits.timeoutMs / 1000;
    return { status: 'limit', error: this.#error('TURN_TIMEOUT', 'agent.turn-timeout', { seconds }) };
  }

  #error(code: TurnErrorCode, key: Parameters<typeof text>[0], values: Readonly<Record<string, number>>): TurnError {
    const { turn, now } = this.#request;
    // What is still under way ends with the turn, some of it perhaps after it has happened.
    const ends = endCalls(this.#pending, (id) => this.#work.ledger.find(id), turn.id, now());
    const done = describeDone([...this.#messages, ...ends]);
    return { code, message: text(key, { ...values, done }) };
  }

  #record(kind: string, body: Parameters<TurnWork['ledger']['record']>[0]['body']): void {
    void this.#work.ledger.record({ kind, at: this.#request.now(), body }, false);
  }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
