import type { Answer, ApprovalAsk, Ask, StoredAsk, WithdrawReason } from '../contracts/ask.ts';
import type { CallId } from '../contracts/made-call.ts';
import type { Message } from '../contracts/message.ts';
import type { RecordEntry } from '../contracts/record-entry.ts';
import type { Answered, Claimed, Lease, NewTurn, Taken, TurnChange } from '../contracts/store.ts';
import type { StoredCall, StoredTurn, TurnCancel } from '../contracts/stored-turn.ts';
import { text } from '../contracts/texts/text.ts';
import type { AskState } from '../contracts/turn-machine.ts';
import { askCode } from './ask-code.ts';
import { isLeaseLost, type LeaseFacts } from './lease-rules.ts';
import { moveCall } from './move-call.ts';
import type { Rows, TurnRow } from './rows.ts';
import { StoreError } from './store-error.ts';
import type { TransitionLog } from './transition-log.ts';

/** Late answers that are kept of one ask. */
const LATE_ANSWERS = 20;

/** Thrown to undo a change whose approval does not hold any more. */
export class ApprovalGone extends Error {}

/** What may be written when: every change of turns, calls and asks, on whatever rows a store has. */
export class StoreRules {
  readonly #rows: Rows;
  readonly #log: TransitionLog;

  /** For one transaction. */
  constructor(rows: Rows, log: TransitionLog) {
    this.#rows = rows;
    this.#log = log;
  }

  takeIn(turn: NewTurn, holder: string, messages: readonly Message[], entries: readonly RecordEntry[]): Taken {
    const { id, sessionKey, at, inLane, project, request, message } = turn;
    const known = message === undefined ? undefined : this.#rows.takenMessage(message);
    if (known !== undefined) return { kind: 'seen', turnId: known };
    this.#rows.touchSession(sessionKey, at, 1);
    const others = this.#rows.openTurns({ sessionKey });
    const isFree = !inLane || !others.some(takesPlace);
    this.#log.note(isFree ? 'turn.begin' : 'turn.queue', null, id);
    const status = isFree ? 'running' : 'queued';
    const epoch = isFree ? 1 : 0;
    const stored: StoredTurn = {
      id,
      sessionKey,
      status,
      startedAt: at,
      holder,
      epoch,
      inLane,
      project,
      request,
      activeMs: 0,
    };
    if (!this.#rows.insertTurn(stored, at))
      throw new StoreError('TURN_EXISTS', text('store.turn-exists', { turn: id }));
    if (message !== undefined) this.#rows.insertMessageName(message, id, at);
    if (messages.length > 0 || entries.length > 0) this.#rows.append(this.#turn(id), messages, entries);
    return isFree ? { kind: 'running', epoch, alone: others.length === 0 } : { kind: 'queued' };
  }

  claim(turnId: string, facts: LeaseFacts): Claimed {
    const turn = this.#rows.turn(turnId);
    if (turn === undefined || turn.endedAt !== undefined) return { kind: 'gone' };
    const { status, cancel, inLane, sessionKey } = turn;
    if (status === 'running' && !isLeaseLost(turn, this.#rows, facts)) return { kind: 'gone' };
    const others = inLane && cancel === undefined ? this.#rows.openTurns({ sessionKey }) : [];
    for (const other of others) {
      if (!other.inLane || other.id === turnId) continue;
      if (other.status === 'running') return { kind: 'busy' };
      if (status === 'queued' && other.status === 'queued' && other.number < turn.number) return { kind: 'busy' };
    }
    if (status === 'parked' && cancel === undefined && this.#isWaiting(turnId)) return { kind: 'busy' };
    const moves = { queued: 'turn.begin', parked: 'turn.resume', running: 'turn.take-over' } as const;
    if (status !== 'queued' && status !== 'parked' && status !== 'running') return { kind: 'gone' };
    this.#log.note(moves[status], status, turnId);
    const epoch = turn.epoch + 1;
    this.#rows.updateTurn({ ...turn, status: 'running', epoch, holder: facts.holder, takenAt: facts.at });
    // From here on its holder lives again: what the lost one had started stays in doubt until it is settled.
    for (const call of status === 'running' ? this.#rows.calls(turn) : []) {
      if (isUnsettled(call)) this.#rows.insertDoubt(sessionKey, call.toolKey, call.argumentsDigest, facts.at);
    }
    return { kind: 'claimed', epoch, from: status };
  }

  note(turnId: string, entries: readonly RecordEntry[]): void {
    this.#rows.append(this.#turn(turnId), [], entries);
  }

  /** Throws `ApprovalGone`; the transaction is undone then. */
  commit({ turnId, epoch }: Lease, change: TurnChange): void {
    const turn = this.#rows.turn(turnId);
    if (turn?.status !== 'running' || turn.epoch !== epoch) {
      throw new StoreError('LEASE_LOST', text('store.lease-lost', { turn: turnId }));
    }
    const { at, messages = [], entries = [], openAsks = [], withdrawAsks = [], calls = [] } = change;
    this.#rows.append(turn, messages, entries);
    for (const ask of openAsks) this.#open(ask);
    for (const { id, reason } of withdrawAsks) this.#withdraw(this.#rows.ask(id), at, reason);
    const parts = { rows: this.#rows, log: this.#log, gone: () => new ApprovalGone() };
    for (const move of calls) {
      moveCall(turn, move, at, parts);
      if (move.move === 'call.end') this.#endAsks(turnId, move.id, at);
    }
    if (change.turn === undefined) return;
    const { move, activeMs } = change.turn;
    this.#log.note(move, 'running', turnId);
    if (move === 'turn.park') {
      this.#rows.updateTurn({ ...turn, status: 'parked', activeMs });
      return;
    }
    const { status, error, reply } = change.turn;
    for (const ask of this.#rows.asks({ turnId, states: ['open'] })) this.#withdraw(ask, at, 'ended');
    const ended: TurnRow = { ...turn, status, activeMs, endedAt: at, ...(error === undefined ? {} : { error }) };
    this.#rows.updateTurn(ended);
    this.#rows.placeTurn(ended);
    this.#rows.touchSession(turn.sessionKey, at, 0);
    if (reply) this.#rows.insertReply(ended, { turnId, state: 'pending', holder: turn.holder });
  }

  requestCancel(turnId: string, cancel: TurnCancel): boolean {
    const turn = this.#rows.turn(turnId);
    if (turn === undefined || turn.endedAt !== undefined) return false;
    if (turn.cancel === undefined) this.#rows.updateTurn({ ...turn, cancel });
    for (const ask of this.#rows.asks({ turnId, states: ['open'] })) this.#withdraw(ask, cancel.at, 'ended');
    return true;
  }

  answer(id: string, answer: Answer): Answered | undefined {
    const ask = this.#rows.ask(id);
    if (ask === undefined) return undefined;
    const { kind, state } = ask;
    // Nobody was there to expire it when its time was over.
    const isOver = state === 'open' && answer.at >= ask.answerBy;
    if (isOver && (answer.kind === 'approved' || answer.kind === 'answered')) {
      return this.#late(this.#close(ask, 'ask.expire', 'expired', { kind: 'expired', at: answer.at }).ask, answer);
    }
    switch (answer.kind) {
      case 'approved':
        if (kind === 'approval' && state === 'open') return this.#close(ask, 'ask.approve', 'approved', answer);
        break;
      case 'answered':
        if (kind === 'question' && state === 'open') return this.#close(ask, 'ask.answer', 'answered', answer);
        break;
      case 'expired':
        if (state === 'open') return this.#close(ask, 'ask.expire', 'expired', answer);
        break;
      case 'withdrawn':
        if (state === 'open') return this.#close(ask, 'ask.withdraw', 'withdrawn', answer);
        break;
      case 'denied':
        if (state === 'open' || (state === 'approved' && ask.usedAt === undefined)) {
          return this.#close(ask, 'ask.deny', 'denied', answer);
        }
        if (state === 'approved') return this.#stop(ask, answer);
    }
    return this.#late(ask, answer);
  }

  /** Changes nothing, but that somebody said so is kept. */
  #late(ask: StoredAsk, answer: Answer): Answered {
    const { late = [] } = ask;
    const isSaid = answer.kind === 'approved' || answer.kind === 'denied' || answer.kind === 'answered';
    if (ask.state === 'open' || !isSaid || late.length >= LATE_ANSWERS) return { kind: 'late', ask };
    const kept: StoredAsk = { ...ask, late: [...late, answer] };
    this.#rows.updateAsk(kept);
    return { kind: 'late', ask: kept };
  }

  /** Of a call that has ended nobody is asked any more, whatever ended it, and no approval of it is left to be used. */
  #endAsks(turnId: string, callId: CallId, at: number): void {
    for (const ask of this.#rows.asks({ turnId, states: ['open', 'approved'] })) {
      if (ask.callId === callId) this.#withdraw(ask, at, 'ended');
    }
  }

  /** A turn waits as long as one of its asks is open. */
  #isWaiting(turnId: string): boolean {
    return this.#rows.asks({ turnId, states: ['open'] }).length > 0;
  }

  #open(ask: Ask): void {
    if (this.#rows.ask(ask.id) !== undefined) return;
    this.#log.note('ask.open', null, ask.id);
    const code = askCode(ask.id, (one) => this.#rows.isCodeTaken(one));
    this.#rows.insertAsk({ ...ask, code, state: 'open' });
  }

  #withdraw(ask: StoredAsk | undefined, at: number, reason: WithdrawReason): void {
    if (ask === undefined) return;
    const isUnused = ask.state === 'approved' && ask.usedAt === undefined;
    if (ask.state === 'open' || isUnused)
      this.#close(ask, 'ask.withdraw', 'withdrawn', { kind: 'withdrawn', at, reason });
  }

  #close(ask: StoredAsk, move: Parameters<TransitionLog['note']>[0], state: AskState, answer: Answer): Answered {
    this.#log.note(move, ask.state, ask.id);
    const closed: StoredAsk = { ...ask, state, answer };
    this.#rows.updateAsk(closed);
    if (state === 'denied' || state === 'expired') this.#breakOthers(closed, answer.at);
    return { kind: 'counted', ask: closed };
  }

  /** What was refused once is not asked again in the same turn under another number. */
  #breakOthers(refused: StoredAsk, at: number): void {
    if (refused.kind !== 'approval') return;
    for (const other of this.#rows.asks({ turnId: refused.turnId, states: ['open'] })) {
      if (other.kind === 'approval' && isSameKind(other, refused)) this.#withdraw(other, at, 'refused');
    }
  }

  /** The call has started: it can only be asked to stop, while it runs. */
  #stop(ask: StoredAsk, answer: Answer): Answered {
    const call = this.#rows.call(this.#turn(ask.turnId), ask.callId);
    if (call?.state !== 'started') return this.#late(ask, answer);
    const stopping: StoredAsk = ask.stopAt === undefined ? { ...ask, stopAt: answer.at } : ask;
    this.#rows.updateAsk(stopping);
    return { kind: 'stopping', ask: stopping };
  }

  #turn(id: string): TurnRow {
    const turn = this.#rows.turn(id);
    if (turn === undefined) throw new StoreError('UNKNOWN_TURN', text('store.unknown-turn', { turn: id }));
    return turn;
  }
}

/** Runs or waits for its place. */
function takesPlace({ inLane, status }: StoredTurn): boolean {
  return inLane && (status === 'running' || status === 'queued');
}

/** The same tool, or the same dangerous category; dangerous tools without a category form one of their own. */
function isSameKind(one: ApprovalAsk, other: ApprovalAsk): boolean {
  if (one.toolKey === other.toolKey) return true;
  return one.card.dangerous && other.card.dangerous && one.card.category === other.card.category;
}

/** It had started and may have changed something; a call that only reads leaves no doubt. */
function isUnsettled(
  call: StoredCall,
): call is StoredCall & { readonly toolKey: string; readonly argumentsDigest: string } {
  const { state, readOnly, toolKey, argumentsDigest } = call;
  return state === 'started' && readOnly !== true && toolKey !== undefined && argumentsDigest !== undefined;
}

/** Is it noted as in doubt, or had a process started it that is gone? What this process runs is not. Reads only. */
export function isDoubtedIn(
  rows: Rows,
  {
    sessionKey,
    toolKey,
    argumentsDigest,
  }: { readonly sessionKey: string; readonly toolKey: string; readonly argumentsDigest: string },
  facts: LeaseFacts,
): boolean {
  if (rows.isDoubted(sessionKey, toolKey, argumentsDigest)) return true;
  const lost = rows.runningTurns(sessionKey).filter((turn) => isLeaseLost(turn, rows, facts));
  return lost.some((turn) =>
    rows
      .calls(turn)
      .some((call) => isUnsettled(call) && call.toolKey === toolKey && call.argumentsDigest === argumentsDigest),
  );
}

/** Turns of a project that can go on and that nobody works on. Reads only. */
export function resumableOf(rows: Rows, project: string, facts: LeaseFacts): readonly TurnRow[] {
  return rows.readyTurns(project).filter((turn) => {
    const { id, status, cancel } = turn;
    if (status === 'parked') return true;
    if (isLeaseLost(turn, rows, facts)) return true;
    return status === 'queued' && cancel !== undefined && !facts.isRunning(id);
  });
}
