import type { Call, CallId, CallScope } from '../contracts/call.ts';
import type { ToolWire } from '../contracts/capability.ts';
import type { AssistantMessage, Message, ToolMessage } from '../contracts/message.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import type { TurnError, TurnErrorCode, TurnStatus, Usage } from '../contracts/turn-event.ts';
import { ModelError, type ModelStep, readModelStream, toModelPrompt } from '../models/index.ts';
import { describeDone } from './describe-done.ts';
import { settleAbandoned } from './settle-abandoned.ts';
import { createTurnRecorder, type TurnRecorder } from './turn-recorder.ts';
import type { TurnRequest, TurnResult } from './turn-request.ts';

/** Steps in a row whose calls were all refused as repeats, after which the turn ends. */
const MAX_REPEATED_STEPS = 2;

/** Calls of one step that run at the same time. */
const SIDE_BY_SIDE = 4;

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
 * One answer to one message: asks the model, runs the calls that it makes, hands their outcomes back, until it answers
 * without a call or a limit is reached. A model answer is stored with all its calls before any of them is looked at,
 * and each call gets exactly one result. Never rejects for what a model, a tool or a person did.
 */
export async function runTurn(request: TurnRequest): Promise<TurnResult> {
  const { id, sessionKey, store, locale, now, emit, limits } = request;
  await settleAbandoned(store, sessionKey, request.isRunning, now(), locale);
  const history = await store.history(sessionKey, limits.historyTurns, limits.historyChars);
  const recorder = createTurnRecorder(store, id);
  const turn = new RunningTurn(request, recorder, history);
  let end: End;
  try {
    await turn.begin();
  } catch (error) {
    turn.release();
    throw error;
  }
  try {
    end = await turn.answer();
  } catch (error) {
    // What a step commits is not lost by a fault that comes after it; the turn ends and says so.
    const reason = error instanceof Error ? error.message : String(error);
    void recorder.record({ kind: 'fault', at: now(), body: { stack: stackOf(error) } }, false);
    end = { status: 'failed', error: { code: 'INTERNAL', message: text('agent.internal', { reason }) } };
  }
  turn.release();
  await turn.end(end);
  const result: TurnResult = {
    turnId: id,
    sessionKey,
    status: end.status,
    text: turn.said.join('\n\n'),
    ...(end.error === undefined ? {} : { error: end.error }),
    usage: turn.usage,
    steps: turn.step,
  };
  emit({ type: 'turn-end', status: end.status, ...(end.error ? { error: end.error } : {}), usage: turn.usage });
  return result;
}

class RunningTurn {
  readonly said: string[] = [];
  usage: Usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
  step = 0;
  readonly #request: TurnRequest;
  readonly #recorder: TurnRecorder;
  readonly #history: readonly Message[];
  /** Messages of this turn that are stored. */
  readonly #messages: Message[] = [];
  /** Messages that the turn's end will store. */
  #unstored: Message[] = [];
  /** Ends model requests and keeps calls from starting. A call that runs only hears the caller's own signal. */
  readonly #stop = new AbortController();
  readonly #onAbort = () => this.#stop.abort(this.#request.signal.reason);
  readonly #timer: NodeJS.Timeout;
  readonly #repeats = new Map<string, number>();
  #repeatedSteps = 0;

  constructor(request: TurnRequest, recorder: TurnRecorder, history: readonly Message[]) {
    this.#request = request;
    this.#recorder = recorder;
    this.#history = history;
    this.#timer = setTimeout(() => this.#stop.abort(), request.limits.timeoutMs);
    request.signal.addEventListener('abort', this.#onAbort, { once: true });
    if (request.signal.aborted) this.#onAbort();
  }

  async begin(): Promise<void> {
    const { id, sessionKey, facts, table, model, store, now, emit } = this.#request;
    const at = now();
    const message: Message = { role: 'user', turnId: id, at, speakerId: facts.principal.id, text: this.#request.text };
    const body = {
      origin: { ...facts.origin },
      principal: { id: facts.principal.id, role: facts.principal.role, authentication: facts.principal.authentication },
      generation: table.generation,
      table: table.digest,
      model: model.name,
      admission: this.#request.admitted.signature,
    };
    const turn = { id, sessionKey, status: 'running', startedAt: at, holder: store.holder } as const;
    await store.beginTurn(turn, [message], [{ kind: 'turn-start', at, body }]);
    this.#messages.push(message);
    emit({ type: 'turn-start', sessionKey, generation: table.generation, model: model.name });
  }

  async answer(): Promise<End> {
    const { limits } = this.#request;
    for (;;) {
      if (this.#stop.signal.aborted) return this.#aborted();
      if (this.step >= limits.maxSteps) {
        return { status: 'limit', error: this.#error('MAX_STEPS', 'agent.max-steps', { steps: limits.maxSteps }) };
      }
      this.step++;
      let answer: ModelStep;
      try {
        answer = await this.#askModel();
      } catch (error) {
        if (this.#stop.signal.aborted) return this.#aborted();
        if (!ModelError.isInstance(error)) throw error;
        void this.#record('model-error', { step: this.step, stack: stackOf(error.cause ?? error) });
        return { status: 'failed', error: { code: 'MODEL_UNAVAILABLE', message: error.reason } };
      }
      const message = this.#assistantMessage(answer);
      if (message.calls.length === 0) {
        this.#unstored.push(message);
        const cut = CUT.get(answer.finishReason);
        if (cut === undefined) return { status: 'done' };
        return { status: 'limit', error: { code: 'ANSWER_CUT', message: text(cut) } };
      }
      this.#unstored.push(message);
      this.#messages.push(message);
      await this.#store();
      await this.#runCalls(message.calls);
      if (this.#repeatedSteps >= MAX_REPEATED_STEPS) {
        return { status: 'limit', error: this.#error('REPEATED_CALLS', 'agent.repeated-calls', {}) };
      }
    }
  }

  /** Lets go of timer and signal. */
  release(): void {
    clearTimeout(this.#timer);
    this.#request.signal.removeEventListener('abort', this.#onAbort);
  }

  /** Writes the end. A turn that ended without an answer leaves a note in the history, so that the next one knows. */
  async end(end: End): Promise<void> {
    const { id, store, now, locale } = this.#request;
    const at = now();
    this.#unstored.push(...this.#neverStarted(at));
    if (end.error !== undefined) {
      // What broke is for people and the record; the model learns that something did.
      const message = end.error.code === 'INTERNAL' ? text('agent.internal-note') : end.error.message;
      const note = renderText(message, locale);
      this.#unstored.push({
        role: 'assistant',
        turnId: id,
        at,
        step: this.step,
        parts: [{ type: 'text', text: note }],
        calls: [],
      });
    }
    const body = { status: end.status, error: end.error?.code ?? null, usage: { ...this.usage }, steps: this.step };
    void this.#record('turn-end', body);
    await store.endTurn(id, end.status, at, this.#unstored, this.#recorder.take());
  }

  /** Results for calls that a fault kept from being looked at: each call has exactly one. */
  #neverStarted(at: number): ToolMessage[] {
    const all = [...this.#messages, ...this.#unstored];
    const answered = new Set(all.map((message) => (message.role === 'tool' ? message.callId : '')));
    const calls = all.flatMap((message) => (message.role === 'assistant' ? message.calls : []));
    return calls
      .filter((call) => !answered.has(call.id))
      .map(({ id, providerCallId, toolName }) => ({
        role: 'tool',
        turnId: this.#request.id,
        at,
        callId: id,
        providerCallId,
        toolName,
        outcome: {
          status: 'error',
          effect: 'none',
          code: 'CANCELLED',
          message: text('agent.call-not-started', { tool: toolName }),
          hint: text('agent.call-again'),
          retryable: false,
          durationMs: 0,
        },
      }));
  }

  async #askModel(): Promise<ModelStep> {
    const { model, tools, locale, emit } = this.#request;
    const { step } = this;
    emit({ type: 'step-start', step });
    const messages = [...this.#history, ...this.#messages];
    const prompt = toModelPrompt({
      messages,
      system: renderText(text('agent.system'), locale),
      provider: model.provider,
      locale,
    });
    void this.#record('model-request', { step, messages: messages.length, tools: tools.length });
    const answer = await readModelStream({
      model: model.model,
      // The list is frozen and shared by all turns: copying ten thousand tools a step would be felt.
      options: {
        prompt,
        abortSignal: this.#stop.signal,
        ...(tools.length === 0 ? {} : { tools: tools as ToolWire[] }),
      },
      provider: model.provider,
      onText: (delta) => emit({ type: 'text-delta', step, text: delta }),
      onReasoning: (delta) => emit({ type: 'reasoning-delta', step, text: delta }),
    });
    this.usage = add(this.usage, answer.usage);
    const { finishReason, usage, calls } = answer;
    void this.#record('model-answer', { step, finishReason, usage: { ...usage }, calls: calls.length });
    return answer;
  }

  #assistantMessage(answer: ModelStep): AssistantMessage {
    const { id, now } = this.#request;
    const { step } = this;
    const spoken = answer.parts.filter((part) => part.type === 'text').map((part) => part.text);
    const said = spoken.join('');
    if (said !== '') this.said.push(said);
    return {
      role: 'assistant',
      turnId: id,
      at: now(),
      step,
      parts: answer.parts,
      calls: answer.calls.map((call, index) => ({
        ...call,
        // Cut before their first character, arguments look like those of a call that needs none.
        rawInput: answer.finishReason === 'length' && call.rawInput.trim() === '' ? '{' : call.rawInput,
        id: `${id}.${step}.${index}` as CallId,
        turnId: id,
        step,
        index,
      })),
    };
  }

  /** Read-only calls run side by side, any others in order. Results are stored in call order. */
  async #runCalls(calls: AssistantMessage['calls']): Promise<void> {
    const { table } = this.#request;
    const results: ToolMessage[] = [];
    if (calls.every((call) => table.get(call.toolName)?.trustedHints.readOnly === true)) {
      results.push(...(await this.#runSideBySide(calls)));
      // Nothing is lost with them that could not be asked again: they are written with what comes next.
      this.#unstored.push(...results);
    } else {
      for (const call of calls) {
        const result = await this.#runCall(call);
        results.push(result);
        // Known from here on: when it cannot be written now, the turn's end tries once more.
        this.#unstored.push(result);
        await this.#store();
      }
    }
    this.#messages.push(...results);
    const repeated = results.every(({ outcome }) => outcome.status === 'error' && outcome.code === 'DUPLICATE_CALL');
    this.#repeatedSteps = repeated ? this.#repeatedSteps + 1 : 0;
  }

  /** A few at a time, so that a turn which reaches its limit leaves the rest unstarted. */
  async #runSideBySide(calls: AssistantMessage['calls']): Promise<ToolMessage[]> {
    const results: ToolMessage[] = [];
    let next = 0;
    const work = async () => {
      for (let index = next++; index < calls.length; index = next++) {
        const call = calls[index];
        if (call !== undefined) results[index] = await this.#runCall(call);
      }
    };
    await Promise.all(Array.from({ length: Math.min(SIDE_BY_SIDE, calls.length) }, work));
    return results;
  }

  /** Writes what is not written yet; what cannot be written stays for the next try. */
  async #store(): Promise<void> {
    await this.#recorder.commit(this.#unstored);
    this.#unstored = [];
  }

  async #runCall(call: Call): Promise<ToolMessage> {
    const { runCall, emit, now, id } = this.#request;
    emit({ type: 'tool-start', callId: call.id, name: call.toolName, rawInput: call.rawInput });
    const outcome = await runCall(call, this.#scope(call.id));
    void this.#record('call-end', { callId: call.id, status: outcome.status, effect: outcome.effect });
    emit({ type: 'tool-end', callId: call.id, name: call.toolName, outcome });
    const { providerCallId, toolName } = call;
    return { role: 'tool', turnId: id, at: now(), callId: call.id, providerCallId, toolName, outcome };
  }

  #scope(callId: CallId): CallScope {
    const { table, admitted, facts, sessionKey, session, surroundings, locale, timeZone, now, emit } = this.#request;
    return {
      table,
      admitted,
      facts,
      byCode: false,
      sessionKey,
      session,
      ...surroundings,
      history: async () => [...this.#history, ...this.#messages],
      callers: [],
      repeats: this.#repeats,
      signal: this.#stop.signal.aborted ? this.#stop.signal : this.#request.signal,
      locale,
      timeZone,
      now,
      record: this.#recorder.record,
      progress: (value) => emit({ type: 'tool-progress', callId, value }),
    };
  }

  #aborted(): End {
    const { signal, limits } = this.#request;
    return signal.aborted
      ? { status: 'cancelled', error: this.#error('CANCELLED', 'agent.cancelled', {}) }
      : {
          status: 'limit',
          error: this.#error('TURN_TIMEOUT', 'agent.turn-timeout', { seconds: limits.timeoutMs / 1000 }),
        };
  }

  #error(code: TurnErrorCode, key: Parameters<typeof text>[0], values: Readonly<Record<string, number>>): TurnError {
    const done = describeDone(this.#messages, this.#request.locale);
    return { code, message: text(key, { ...values, done }) };
  }

  #record(kind: string, body: Parameters<TurnRecorder['record']>[0]['body']): Promise<void> {
    return this.#recorder.record({ kind, at: this.#request.now(), body }, false);
  }
}

function add(left: Usage, right: Usage): Usage {
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    cachedTokens: left.cachedTokens + right.cachedTokens,
  };
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
