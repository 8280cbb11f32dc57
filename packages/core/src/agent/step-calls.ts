import type { Call, CallId } from '../contracts/call.ts';
import type { AssistantMessage, ToolMessage } from '../contracts/message.ts';
import type { StepOrder } from '../contracts/step-order.ts';
import { callEnd } from '../dispatch/index.ts';
import { CallOrder } from './call-order.ts';
import { endBelow } from './end-below.ts';
import { noteLateResult } from './note-late-result.ts';
import type { TurnRequest } from './turn-request.ts';
import type { TurnWork } from './turn-work.ts';

/** Runs the calls of one step after another: decides all of a step first, then lets them start in their order. */
export class StepCalls {
  readonly #request: TurnRequest;
  readonly #work: TurnWork;
  readonly #stop: AbortSignal;
  #order: CallOrder | undefined;
  #ids: ReadonlySet<CallId> = new Set();
  readonly #started = new Set<CallId>();
  #isHalted = false;

  /** `stop`: from then on no call starts. */
  constructor(request: TurnRequest, work: TurnWork, stop: AbortSignal) {
    this.#request = request;
    this.#work = work;
    this.#stop = stop;
  }

  async allDecided(id: CallId): Promise<void> {
    // Calls that code makes belong to no step: whatever they could wait for is decided.
    if (this.#ids.has(id)) await this.#order?.allDecided();
  }

  /** Keeps calls that have not started from doing so; they end as cancelled. */
  stopUnstarted(): void {
    this.#work.stopAll(new Error('the turn has ended'), (id) => !this.#started.has(id));
  }

  /** Keeps calls from starting, which stay as they are, and ends those that run. */
  halt(): void {
    this.#isHalted = true;
    this.#work.stopAll(new Error('the program ends'), (id) => this.#started.has(id));
  }

  /** `isParked`: the turn has to wait with some of them; those that have ended are in `results`. */
  async run(
    calls: AssistantMessage['calls'],
  ): Promise<{ readonly results: readonly ToolMessage[]; readonly isParked: boolean }> {
    const ids = calls.map(({ id }) => id);
    const order = new CallOrder(ids, this.#work.activity);
    this.#order = order;
    this.#ids = new Set(ids);
    const running: Promise<ToolMessage | 'parked'>[] = [];
    for (const call of calls) {
      running.push(this.#runOne(call, order));
      // The turn is lost to this process: nothing of it may wait any longer. The rejection itself is met below.
      running.at(-1)?.catch((reason: unknown) => {
        this.#work.asks.park();
        this.#work.stopAll(reason);
      });
      await order.whenDecided(call.id);
    }
    const settled = await Promise.allSettled(running);
    const results: ToolMessage[] = [];
    let isParked = false;
    for (const one of settled) {
      if (one.status === 'rejected') throw one.reason;
      if (one.value === 'parked') isParked = true;
      else results.push(one.value);
    }
    return { results, isParked };
  }

  async #runOne(call: Call, order: CallOrder): Promise<ToolMessage | 'parked'> {
    const { emit, turn, now, table } = this.#request;
    const { ledger } = this.#work;
    let isTold = false;
    const tellStart = (): void => {
      if (isTold) return;
      isTold = true;
      emit({ type: 'tool-start', callId: call.id, name: call.toolName, rawInput: call.rawInput });
    };
    let isParked = true;
    try {
      const outcome = await this.#work.run(call, this.#ordered(order, tellStart));
      if (outcome === 'parked') return 'parked';
      isParked = false;
      tellStart();
      const { status, effect } = outcome;
      const at = now();
      void ledger.record({ kind: 'call-end', at, body: { callId: call.id, status, effect } }, false);
      const { id: callId, providerCallId, toolName } = call;
      const result: ToolMessage = { role: 'tool', turnId: turn.id, at, callId, providerCallId, toolName, outcome };
      const stored = ledger.find(callId);
      const tool = table.get(toolName);
      const below = endBelow(callId, ledger, table);
      ledger.gather([result], [...below, ...(stored === undefined ? [] : [callEnd(stored, outcome, tool, false)])]);
      // Nothing is lost with a call that only reads, which could not be read again: it is written with what comes next.
      const isHeard = stored?.askId !== undefined || stored?.state === 'started' || below.length > 0;
      if (tool?.trustedHints.readOnly !== true || isHeard) {
        await ledger.commit({}, false).catch(async (error: unknown) => {
          await noteLateResult(this.#request, callId, outcome, error);
          // What cannot be written now stays for the next try; only the loss of the turn ends it.
          if ((error as { readonly code?: unknown }).code === 'LEASE_LOST') throw error;
        });
      }
      emit({ type: 'tool-end', callId, name: toolName, outcome });
      return result;
    } finally {
      order.end(call.id, isParked);
    }
  }

  #ordered(order: CallOrder, onStart: () => void): StepOrder {
    return {
      decided: (id) => order.decided(id),
      allDecided: () => order.allDecided(),
      mayStart: async (id, readOnly) => {
        if (!(await order.mayStart(id, readOnly)) || this.#isHalted) return false;
        if (this.#stop.aborted) this.#work.stop(id, this.#stop.reason);
        else this.#started.add(id);
        onStart();
        return true;
      },
    };
  }
}
