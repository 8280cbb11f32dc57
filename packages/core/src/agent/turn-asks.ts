import type { ApprovalAsk, Ask, QuestionAsk, StoredAsk } from '../contracts/ask.ts';
import type {
  ApprovalAnswer,
  ApprovalRequest,
  AskPort,
  QuestionAnswer,
  QuestionRequest,
} from '../contracts/ask-port.ts';
import type { CallId } from '../contracts/made-call.ts';
import type { MessageKey } from '../contracts/message-key.ts';
import type { Origin, Principal } from '../contracts/principal.ts';
import type { CallMove, Store } from '../contracts/store.ts';
import { text } from '../contracts/texts/text.ts';
import type { UnnumberedTurnEvent } from '../contracts/turn-event.ts';
import { createAskCard } from './ask-card.ts';
import type { AskTimes } from './ask-times.ts';
import type { AskWatch } from './ask-watch.ts';
import { createQuestionCard } from './question-card.ts';
import type { ReviewVerdict } from './review-call.ts';
import type { TurnActivity } from './turn-activity.ts';
import type { TurnLedger } from './turn-ledger.ts';

export interface TurnAsksOptions {
  readonly turnId: string;
  readonly sessionKey: string;
  readonly origin: Origin;
  readonly principal: Principal;
  readonly attended: boolean;
  readonly canAsk: boolean;
  readonly times: AskTimes;
  /** Hides values that must not be shown. */
  readonly mask: (text: string) => string;
  /** Judges calls in mode `reviewer`; absent = nobody does. */
  readonly review?: (ask: ApprovalAsk, signal: AbortSignal) => Promise<ReviewVerdict>;
  readonly store: Store;
  readonly ledger: TurnLedger;
  readonly activity: TurnActivity;
  readonly watch: AskWatch;
  /** Resolves when all calls of the step that the call belongs to are decided: asks of a step are opened together. */
  readonly allDecided: (id: CallId) => Promise<void>;
  /** Ends a call that is asked to stop after its start. */
  readonly stopCall: (id: CallId) => void;
  readonly now: () => number;
  readonly emit: (event: UnnumberedTurnEvent) => void;
}

interface Opening {
  readonly ask: Ask;
  readonly await?: CallMove;
}

type Closed = StoredAsk | 'parked';

/** The asks of one turn: opens them, waits for their answers, lets go of them when the turn parks. */
export class TurnAsks implements AskPort {
  readonly attended: boolean;
  readonly canAsk: boolean;
  readonly #options: TurnAsksOptions;
  /** To be opened with the next commit. */
  #opening: Opening[] = [];
  #opened: Promise<unknown> = Promise.resolve();
  /** Lets go of what waits and may park. */
  readonly #letGo = new Set<() => void>();
  readonly #told = new Set<string>();
  #isParking = false;

  constructor(options: TurnAsksOptions) {
    this.#options = options;
    this.attended = options.attended;
    this.canAsk = options.canAsk;
  }

  /** From now on whatever waits and may park does so. */
  park(): void {
    this.#isParking = true;
    for (const letGo of [...this.#letGo]) letGo();
  }

  /** Asks of this turn that are open. */
  open(): Promise<readonly StoredAsk[]> {
    const { store, turnId } = this.#options;
    return store.asks({ turnId, states: ['open'] });
  }

  async approval(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    const { store, ledger, now } = this.#options;
    const { call, tool } = request;
    const before = ledger.find(call.id)?.askId;
    const known = before === undefined ? undefined : await store.ask(before);
    let round = 1;
    let anew: MessageKey | undefined;
    if (known?.kind === 'approval') {
      const isStricter = request.needsPerson && !known.needsPerson;
      const isStale =
        known.state === 'approved' && (known.usedAt !== undefined || isStricter || isTooOld(known, now()));
      if (!isStale && !(known.state === 'open' && isStricter)) {
        return this.#answerOf(await this.#closed(known, request, signal), request);
      }
      // What was answered does not count any more, or does not count enough: it is asked anew.
      round = Number(known.id.split('-')[1] ?? 1) + 1;
      if (known.state === 'approved') anew = text(isStricter ? 'approval.because-stricter' : 'approval.because-unused');
      if (known.state === 'open') await ledger.commit({ withdrawAsks: [{ id: known.id, reason: 'changed' }] }, false);
    }
    const reasons = anew === undefined ? request.reasons : [anew, ...request.reasons];
    const ask = this.#approvalAsk({ ...request, reasons }, round);
    const { input, argumentsDigest } = request;
    const decided = { toolKey: tool.key, input, argumentsDigest, definitionDigest: tool.definitionDigest };
    this.#opening.push({ ask, await: { move: 'call.await', id: call.id, askId: ask.id, ...decided } });
    await this.#openAll(call.id);
    const opened = await store.ask(ask.id);
    if (opened === undefined) throw new Error('an ask that was opened is not there');
    if (request.review && (await this.#review(ask, signal))) {
      const by = { id: 'reviewer', authentication: 'reviewer' } as const;
      const answered = await store.answerAsk(ask.id, { kind: 'approved', by, at: now() });
      if (answered !== undefined) return this.#answerOf(answered.ask, request);
    }
    return this.#answerOf(await this.#closed(opened, request, signal), request);
  }

  async question(request: QuestionRequest, signal: AbortSignal): Promise<QuestionAnswer> {
    const { store } = this.#options;
    const ask = this.#questionAsk(request);
    let known = await store.ask(ask.id);
    if (known === undefined) {
      await this.#withdrawOther(ask);
      this.#opening.push({ ask });
      await this.#flush();
      known = await store.ask(ask.id);
    }
    if (known === undefined) throw new Error('an ask that was opened is not there');
    const closed = await this.#closed(known, request, signal);
    if (closed === 'parked') return { kind: 'parked' };
    const { answer } = closed;
    if (answer?.kind === 'answered') {
      // The card shows its options safe to print; the code knows them as it gave them.
      const at = closed.kind === 'question' ? (closed.card.options ?? []).indexOf(String(answer.value)) : -1;
      return { kind: 'answered', value: request.options?.[at] ?? answer.value };
    }
    return { kind: answer?.kind === 'expired' ? 'expired' : 'refused' };
  }

  /** Code that ran again may ask something else at the same place; nobody waits for the first question any more. */
  async #withdrawOther({ callId, ordinal }: QuestionAsk): Promise<void> {
    const { ledger } = this.#options;
    const open = await this.open();
    const stale = open.filter((one) => one.kind === 'question' && one.callId === callId && one.ordinal === ordinal);
    if (stale.length === 0) return;
    await ledger.commit({ withdrawAsks: stale.map(({ id }) => ({ id, reason: 'changed' as const })) }, false);
  }

  /** Waits until it is closed, or the turn parks. */
  async #closed(
    ask: StoredAsk,
    { call, mayPark }: ApprovalRequest | QuestionRequest,
    signal: AbortSignal,
  ): Promise<Closed> {
    if (ask.state !== 'open') return ask;
    const { activity, watch, emit } = this.#options;
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Closed>();
    const onAbort = () => reject(signal.reason);
    const letGo = () => resolve('parked');
    signal.addEventListener('abort', onAbort, { once: true });
    if (mayPark) this.#letGo.add(letGo);
    if (!this.#told.has(ask.id)) emit({ type: 'ask-open', ask, ...(mayPark ? {} : { holds: true }) });
    this.#told.add(ask.id);
    const unfollow = watch.follow(ask.id, (now) => {
      if (now.state !== 'open') resolve(now);
    });
    if (mayPark && this.#isParking) letGo();
    activity.wait(call.id, mayPark);
    try {
      const closed = await promise;
      if (closed !== 'parked' && closed.answer !== undefined) {
        emit({ type: 'ask-closed', askId: closed.id, answer: closed.answer });
      }
      return closed;
    } finally {
      activity.goOn(call.id, mayPark);
      unfollow();
      this.#letGo.delete(letGo);
      signal.removeEventListener('abort', onAbort);
    }
  }

  #answerOf(closed: Closed, { call }: ApprovalRequest): ApprovalAnswer {
    if (closed === 'parked') return { kind: 'parked' };
    const { ledger, watch, stopCall, now } = this.#options;
    const { id: askId, answer } = closed;
    const record = answer ?? null;
    void ledger.record(
      { kind: 'ask-closed', at: now(), body: { callId: call.id, askId, answer: { ...record } as never } },
      false,
    );
    if (closed.kind === 'approval' && (answer?.kind === 'denied' || answer?.kind === 'expired')) {
      ledger.noteRefusal(closed.toolKey, closed.card.dangerous, closed.card.category);
    }
    switch (answer?.kind) {
      case 'approved': {
        // A denial that comes after the start asks the call to stop.
        const unfollow = watch.follow(askId, (now) => {
          if (now.stopAt !== undefined) stopCall(call.id);
          if (now.stopAt !== undefined || ledger.find(call.id)?.state === 'ended') unfollow();
        });
        this.#unfollow.push(unfollow);
        return { kind: 'approved', askId };
      }
      case 'denied':
        return { kind: 'denied', askId, ...(answer.reason === undefined ? {} : { reason: answer.reason }) };
      case 'expired':
        return { kind: 'expired', askId };
      case 'withdrawn':
        return answer.reason === 'refused' || answer.reason === 'ended'
          ? { kind: 'refused', askId }
          : { kind: 'again' };
      default:
        throw new Error(`an approval was closed by ${answer?.kind ?? 'nothing'}`);
    }
  }

  readonly #unfollow: (() => void)[] = [];

  /** Nobody listens any more. */
  close(): void {
    for (const unfollow of this.#unfollow.splice(0)) unfollow();
  }

  async #openAll(callId: CallId): Promise<void> {
    await this.#options.allDecided(callId);
    await this.#flush();
  }

  /** The first who comes opens all that wait for it; the others wait for that one. */
  async #flush(): Promise<void> {
    const opening = this.#opening;
    this.#opening = [];
    if (opening.length > 0) {
      const { ledger, now } = this.#options;
      for (const { ask } of opening) {
        const { id: askId, kind, callId, answerBy } = ask;
        void ledger.record({ kind: 'ask-open', at: now(), body: { askId, ask: kind, callId, answerBy } }, false);
      }
      this.#opened = ledger.commit(
        {
          openAsks: opening.map(({ ask }) => ask),
          calls: opening.flatMap((one) => (one.await === undefined ? [] : [one.await])),
        },
        false,
      );
    }
    await this.#opened;
  }

  async #review(ask: ApprovalAsk, signal: AbortSignal): Promise<boolean> {
    const { review } = this.#options;
    return review !== undefined && (await review(ask, signal)) === 'yes';
  }

  #base(id: string, callId: CallId, toolKey: string) {
    const { turnId, sessionKey, principal, origin, times, now } = this.#options;
    const openedAt = now();
    const forMs = origin.kind === 'im' ? times.timeoutMs : times.answerByMs;
    return { id, callId, turnId, sessionKey, toolKey, from: principal, origin, openedAt, answerBy: openedAt + forMs };
  }

  #approvalAsk(request: ApprovalRequest, round: number): ApprovalAsk {
    const { store, times, mask } = this.#options;
    const { call, tool, input, argumentsDigest, level, reasons, needsPerson } = request;
    const { definitionDigest } = tool;
    const bound = [call.id, definitionDigest, argumentsDigest, String(round)].join('\n');
    // The round stands behind the digest, so that the next one is known from the last one.
    const id = `${store.sign(bound)}-${round}`;
    return {
      ...this.#base(id, call.id, tool.key),
      kind: 'approval',
      card: createAskCard({ tool, input, level, reasons, mask }),
      definitionDigest,
      argumentsDigest,
      needsPerson,
      useForMs: tool.dangerous ? times.dangerousUseByMs : times.useByMs,
    };
  }

  #questionAsk({ call, tool, ordinal, text, options }: QuestionRequest): QuestionAsk {
    const { store, mask } = this.#options;
    // An answer is only ever that of the question that was asked.
    const bound = [call.id, 'question', String(ordinal), JSON.stringify([text, options ?? null])].join('\n');
    const id = `${store.sign(bound)}-${ordinal}`;
    const card = createQuestionCard({ tool, text, mask, ...(options === undefined ? {} : { options }) });
    return { ...this.#base(id, call.id, tool.key), kind: 'question', card, ordinal };
  }
}

function isTooOld(ask: ApprovalAsk & StoredAsk, now: number): boolean {
  return ask.answer?.kind === 'approved' && now > ask.answer.at + ask.useForMs;
}
