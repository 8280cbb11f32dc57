import type { Call, CallId, CallScope } from '../contracts/call.ts';
import type { Message } from '../contracts/message.ts';
import type { StepOrder } from '../contracts/step-order.ts';
import { TurnActivity } from './turn-activity.ts';
import { TurnAsks } from './turn-asks.ts';
import { TurnLedger } from './turn-ledger.ts';
import type { TurnRequest } from './turn-request.ts';

export interface TurnWorkOptions {
  readonly request: TurnRequest;
  /** Code calls hidden and private tools by name; models do not. */
  readonly byCode: boolean;
  /** Resolves when the step that the call belongs to is decided. */
  readonly allDecided: (id: CallId) => Promise<void>;
  /** All that is under way waits for people, or does not any more. */
  readonly onWaits: (onlyWaits: boolean) => void;
  readonly history: () => Promise<readonly Message[]>;
}

/** What the calls of one turn work with while this process holds it. */
export class TurnWork {
  readonly ledger: TurnLedger;
  readonly asks: TurnAsks;
  readonly activity: TurnActivity;
  readonly #options: TurnWorkOptions;
  readonly #repeats = new Map<string, number>();
  /** Each call that is under way can be stopped by itself. */
  readonly #controllers = new Map<CallId, AbortController>();

  constructor(options: TurnWorkOptions, ledger: TurnLedger) {
    const { request, allDecided, onWaits } = options;
    const { turn, facts, askTimes, canAsk, mask, review, store, watch, now, emit } = request;
    this.#options = options;
    this.ledger = ledger;
    this.activity = new TurnActivity(onWaits);
    this.asks = new TurnAsks({
      turnId: turn.id,
      sessionKey: turn.sessionKey,
      origin: facts.origin,
      principal: facts.principal,
      attended: turn.request.attended,
      canAsk,
      times: askTimes,
      mask,
      ...(review === undefined ? {} : { review }),
      store,
      ledger,
      activity: this.activity,
      watch,
      allDecided,
      stopCall: (id) => this.stop(id, new Error('the approval was withdrawn after the start')),
      now,
      emit,
    });
  }

  /** Reads from the store what earlier processes left of the turn's calls and asks. */
  static async open(options: TurnWorkOptions): Promise<TurnWork> {
    const { turn, epoch, facts, store, keepsRecord, from, now } = options.request;
    const isNew = from === 'new' || from === 'queued';
    const ledger = new TurnLedger({
      store,
      lease: { turnId: turn.id, epoch },
      sessionKey: turn.sessionKey,
      principalId: facts.principal.id,
      calls: isNew ? [] : await store.calls(turn.id),
      keepsRecord,
      now,
    });
    if (!isNew) {
      for (const ask of await store.asks({ turnId: turn.id, states: ['denied', 'expired'] })) {
        if (ask.kind === 'approval') ledger.noteRefusal(ask.toolKey, ask.card.dangerous, ask.card.category);
      }
    }
    return new TurnWork(options, ledger);
  }

  scope(id: CallId, signal: AbortSignal, stop: (reason: unknown) => void, order?: StepOrder): CallScope {
    const { request, byCode, history } = this.#options;
    const { turn, table, admitted, facts, session, surroundings, approval, locale, timeZone, now, emit } = request;
    return {
      table,
      admitted,
      facts,
      byCode,
      sessionKey: turn.sessionKey,
      session,
      ...surroundings,
      history,
      callers: [],
      repeats: this.#repeats,
      signal,
      stop,
      ledger: this.ledger,
      asks: this.asks,
      approval,
      ...(order === undefined ? {} : { order }),
      locale,
      timeZone,
      now,
      record: this.ledger.record,
      progress: (value) => emit({ type: 'tool-progress', callId: id, value }),
    };
  }

  /** Runs one call from the state that it is stored in. */
  async run(call: Call, order?: StepOrder): ReturnType<TurnRequest['runCall']> {
    const { runCall, control } = this.#options.request;
    const controller = new AbortController();
    this.#controllers.set(call.id, controller);
    if (control.signal.aborted) controller.abort(control.signal.reason);
    this.activity.begin(call.id);
    try {
      return await runCall(
        call,
        this.scope(call.id, controller.signal, (reason) => controller.abort(reason), order),
      );
    } finally {
      this.activity.end(call.id);
      this.#controllers.delete(call.id);
    }
  }

  stop(id: CallId, reason: unknown): void {
    this.#controllers.get(id)?.abort(reason);
  }

  /** Ends calls that are under way: all of them, or those that `which` names. */
  stopAll(reason: unknown, which: (id: CallId) => boolean = () => true): void {
    for (const [id, controller] of this.#controllers) if (which(id)) controller.abort(reason);
  }
}
