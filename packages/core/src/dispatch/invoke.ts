import type { Call, CallId, CallScope, RunCall } from '../contracts/call.ts';
import type { ToolCapability } from '../contracts/capability.ts';
import type { InvokeAnswer } from '../contracts/invoke-answer.ts';
import type { Json, JsonObject } from '../contracts/json.ts';
import type { Effect, Outcome } from '../contracts/outcome.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import { callEnd } from './call-end.ts';
import { failure } from './failure.ts';
import { recordableOutcome } from './recordable-outcome.ts';
import { Turnstile } from './turnstile.ts';

/** Calls that may wait for one another, the outermost not counted. */
const MAX_DEPTH = 5;

/** Calls that the code of one call may make. */
const MAX_CALLS = 1_000;

const STRENGTH: Readonly<Record<Effect, number>> = { none: 0, done: 1, unknown: 2 };

interface InvokeOptions {
  readonly call: Call;
  readonly scope: CallScope;
  readonly tool: ToolCapability;
  readonly run: RunCall;
  /** Stops the code that invokes: the turn parks. */
  readonly park: () => void;
  /** Aborts when the call that invokes has ended. */
  readonly ended: () => AbortSignal;
}

/** Characters. */
const NAME_CHARS = 200;

export interface Invoke {
  /** Takes whatever a child sends: a bad name or input is refused like that of every other call. */
  call(
    name: Json | undefined,
    input: Json | undefined,
    signal: AbortSignal,
    hold: (waiting: boolean) => void,
  ): Promise<InvokeAnswer>;
  /** Resolves when every call that was made has ended. */
  settle(): Promise<void>;
  /** The strongest effect of the calls that were made. */
  effect(): Effect;
}

/**
 * Calls that the code of a call makes: each is a call of its own, `<parent>.<n>`, through the whole dispatch for the
 * same principal. They run one after another in the order in which they were made, so that a turn can be run again, and
 * so that the processes which wait for one another stay few. A tool that waits already is not called again.
 */
export function createInvoke({ call: parent, scope, tool: from, run, park, ended }: InvokeOptions): Invoke {
  const { table, locale } = scope;
  const queue = new Turnstile(1, MAX_CALLS);
  const callers: readonly Call[] = [...scope.callers, parent];
  const running = new Set<Promise<unknown>>();
  let made = 0;
  let effect: Effect = 'none';

  /** Why it may not even be tried. */
  const refusal = (tool: ToolCapability | undefined, name: string): Outcome | undefined => {
    if (callers.length > MAX_DEPTH) return notPermitted('dispatch.invoke-too-deep', { tool: name, limit: MAX_DEPTH });
    const waits = tool !== undefined && callers.some((caller) => table.get(caller.toolName)?.key === tool.key);
    return waits ? notPermitted('dispatch.invoke-cycle', { tool: name }) : undefined;
  };

  const runChild = async (
    name: string,
    input: JsonObject,
    index: number,
    asking: AbortSignal,
    hold: (waiting: boolean) => void,
  ): Promise<Outcome> => {
    const tool = table.resolve(name, from);
    const toolName = tool?.key ?? name;
    const id: CallId = `${parent.id}.${index}` as CallId;
    const child: Call = {
      id,
      turnId: parent.turnId,
      step: parent.step,
      index,
      providerCallId: id,
      toolName,
      rawInput: JSON.stringify(input),
    };
    note('call-invoke', { callId: parent.id, child: id, tool: toolName });
    const stopping = new AbortController();
    const own: CallScope = {
      ...scope,
      byCode: true,
      callers,
      signal: AbortSignal.any([asking, stopping.signal]),
      stop: (reason) => stopping.abort(reason),
      hold,
    };
    const outcome = refusal(tool, toolName) ?? (await run(child, own));
    if (outcome === 'parked') {
      park();
      throw new Error('the turn parks');
    }
    await end(child, outcome, tool);
    note('call-end', {
      callId: id,
      status: outcome.status,
      effect: outcome.effect,
      outcome: recordableOutcome(outcome),
    });
    if (STRENGTH[outcome.effect] > STRENGTH[effect]) effect = outcome.effect;
    return outcome;
  };

  /** Calls that have a row (they were asked about, or may have changed the world) end in it. */
  const end = async ({ id }: Call, outcome: Outcome, tool: ToolCapability | undefined): Promise<void> => {
    const stored = scope.ledger.find(id);
    if (stored === undefined || stored.state === 'ended') return;
    await scope.ledger.move([callEnd(stored, outcome, tool, true)], false);
  };

  const note = (kind: string, body: Json) => {
    // The call that ends tells that its record cannot be written; this one's answer is known all the same.
    scope.record({ kind, at: scope.now(), body }, false).catch(() => {});
  };

  const call = async (
    name: string,
    input: JsonObject,
    asking: AbortSignal,
    hold: (waiting: boolean) => void,
  ): Promise<InvokeAnswer> => {
    made += 1;
    const index = made;
    if (index > MAX_CALLS) return answerOf(name, notPermitted('dispatch.invoke-too-many', { limit: MAX_CALLS }));
    const signal = AbortSignal.any([scope.signal, asking, ended()]);
    const leave = await queue.enter(signal);
    try {
      return answerOf(name, await runChild(name, input, index, signal, hold));
    } finally {
      leave?.();
    }
  };

  const answerOf = (toolName: string, outcome: Outcome): InvokeAnswer => {
    if (outcome.status === 'success') {
      const { kind, value } = outcome.result;
      return { status: 'success', value: value as Json, ...(kind === 'parts' ? { isParts: true } : {}) };
    }
    const { code, message, hint, retryable, effect } = outcome;
    return {
      status: 'error',
      toolName,
      code,
      reason: renderText(message, locale),
      hint: renderText(hint, locale),
      retryable,
      effect,
    };
  };

  const malformed = (name: string, expected: string): Promise<InvokeAnswer> => {
    const message = text('dispatch.ask-malformed', { operation: 'invoke', expected });
    return Promise.resolve(
      answerOf(name, failure('INVALID_ARGUMENTS', { message, hint: text('dispatch.invoke-hint') })),
    );
  };

  return {
    call(name, input, signal, hold) {
      if (typeof name !== 'string') return malformed(typeof name, `name: string, <= ${NAME_CHARS}`);
      if (name.length > NAME_CHARS) {
        return malformed(`${name.slice(0, NAME_CHARS).toWellFormed()}…`, `name: string, <= ${NAME_CHARS}`);
      }
      if (typeof input !== 'object' || input === null || Array.isArray(input)) return malformed(name, 'input: object');
      const answering = call(name, input as JsonObject, signal, hold).finally(() => running.delete(answering));
      running.add(answering);
      return answering;
    },
    async settle() {
      while (running.size > 0) await Promise.allSettled(running);
    },
    effect: () => effect,
  };
}

function notPermitted(...reason: Parameters<typeof text>): Outcome {
  return failure('NOT_PERMITTED', { message: text(...reason), hint: text('dispatch.invoke-hint') });
}
