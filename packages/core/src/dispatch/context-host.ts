import type { QuestionRequest } from '../contracts/ask-port.ts';
import type { Call, CallScope, RunCall } from '../contracts/call.ts';
import type { ToolCapability } from '../contracts/capability.ts';
import { codePoints } from '../contracts/code-points.ts';
import type { ContextHost, ContextOperation } from '../contracts/executor.ts';
import type { Json } from '../contracts/json.ts';
import type { Effect } from '../contracts/outcome.ts';
import { text } from '../contracts/texts/text.ts';
import type { UrlRules } from '../contracts/url-policy.ts';
import { StoreError } from '../store/store-error.ts';
import { AskRefused } from './ask-refused.ts';
import { callService } from './call-service.ts';
import { HeldTime } from './held-time.ts';
import { historyView } from './history-view.ts';
import type { HostFetch } from './host-fetch.ts';
import { createInvoke } from './invoke.ts';
import { mayRunAgain } from './may-run-again.ts';

const KEY_CHARS = 1_024;
const NAME_CHARS = 200;
const HISTORY_MESSAGES = 200;
const QUESTIONS = 100;
const QUESTION_CHARS = 4_000;
const OPTIONS = 20;
const OPTION_CHARS = 200;

/** Made once: an exception of its own for each call would be felt. */
const ENDED = new Error('the call has ended');

/** What one call's code may ask for, and what came of it. */
export interface CallHost {
  readonly host: ContextHost;
  /** Ends what the code left running, and resolves when all of it has ended. */
  settle(): Promise<void>;
  /** The strongest effect of the calls that its code made. */
  effect(): Effect;
  /** The turn parked while the code asked a person: it was stopped, to be run again. */
  isParked(): boolean;
  /** Milliseconds for which the code, or a call that it made, waited for people. */
  heldMs(): number;
}

export interface CallHostOptions {
  readonly call: Call;
  readonly scope: CallScope;
  readonly tool: ToolCapability;
  /** Makes the host's side of `context.fetch` for one call. */
  readonly fetch: (rules: UrlRules) => HostFetch;
  readonly run: RunCall;
}

/**
 * The host's answers to one call's code. What arrives may come from a child process: types and sizes are checked, and
 * only errors of ours in words for the code go back; what else goes wrong is told to the record.
 */
export function createCallHost({ call, scope, tool, fetch, run }: CallHostOptions): CallHost {
  const { locale } = scope;
  const ended = lazyAbort();
  const mayPark = (scope.mayPark ?? true) && mayRunAgain(tool);
  let parked = false;
  const park = () => {
    parked = true;
    scope.stop(new Error('the turn parks'));
  };
  const invoke = createInvoke({ call, scope: { ...scope, mayPark }, tool, run, park, ended: () => ended.signal });
  let hostFetch: HostFetch | undefined;
  const held = new HeldTime();
  // Whoever waits for this call waits with it.
  const holdAll =
    (hold: (waiting: boolean) => void) =>
    (waiting: boolean): void => {
      held.hold(waiting);
      hold(waiting);
      scope.hold?.(waiting);
    };

  const record = (kind: string, body: Json) => {
    // Whoever ends the call tells that the record cannot be written.
    scope.record({ kind, at: scope.now(), body }, false).catch(() => {});
  };

  const refuse = (operation: ContextOperation, expected: string): AskRefused =>
    new AskRefused(text('dispatch.ask-malformed', { operation, expected }), locale);

  const answer = async (
    operation: ContextOperation,
    args: readonly Json[],
    signal: AbortSignal,
    hold: (waiting: boolean) => void,
  ): Promise<Json | undefined> => {
    const [first, second, third] = args;
    switch (operation) {
      case 'session-get':
      case 'session-set':
      case 'session-delete': {
        if (typeof first !== 'string' || first.length > KEY_CHARS) {
          throw refuse(operation, `key: string, <= ${KEY_CHARS}`);
        }
        if (operation === 'session-get') return scope.session.get(first);
        if (operation === 'session-delete') await scope.session.delete(first);
        else await scope.session.set(first, second ?? null);
        return undefined;
      }
      case 'history': {
        if (typeof first !== 'number' || !Number.isInteger(first) || first < 1 || first > HISTORY_MESSAGES) {
          throw refuse(operation, `limit: 1 … ${HISTORY_MESSAGES}`);
        }
        return historyView(await scope.history(), first, locale) as unknown as Json;
      }
      case 'service': {
        if (typeof first !== 'string' || typeof second !== 'string' || !Array.isArray(third)) {
          throw refuse(operation, 'token: string, method: string, args: array');
        }
        return callService(scope, first, second, third as readonly Json[]);
      }
      case 'fetch': {
        hostFetch ??= fetch({
          ...scope.urlRules,
          ...(tool.networkLabels.length === 0 ? {} : { allowedByTool: tool.networkLabels }),
        });
        return (await hostFetch(first, AbortSignal.any([signal, ended.signal]))) as unknown as Json;
      }
      case 'invoke':
        return (await invoke.call(first, second, signal, holdAll(hold))) as unknown as Json;
      case 'question': {
        const asked = readQuestion(first, second, third);
        if (asked === undefined || !scope.asks.attended) throw refuse(operation, 'ordinal, text, options');
        const wait = holdAll(hold);
        wait(true);
        try {
          const answered = await scope.asks.question({ call, tool, mayPark, ...asked }, signal);
          if (answered.kind !== 'parked') {
            return answered.kind === 'answered'
              ? { status: 'answered', value: answered.value }
              : { status: answered.kind };
          }
        } finally {
          wait(false);
        }
        park();
        // The code that waits is being stopped; it gets no answer now.
        throw new Error('the turn parks');
      }
      default:
        throw refuse(String(operation).slice(0, NAME_CHARS) as ContextOperation, '-');
    }
  };

  return {
    host: {
      async ask(operation, args, signal, hold = () => {}) {
        try {
          return await answer(operation, args, signal, hold);
        } catch (error) {
          if (error instanceof AskRefused) throw error;
          if (signal.aborted || ended.aborted) throw signal.reason ?? ENDED;
          // The reason why a value is not kept is the code's to know; of other faults it may name this machine's files.
          if (StoreError.isInstance(error) && error.code === 'LIMIT') throw new AskRefused(error.reason, locale);
          const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
          record('call-stack', { callId: call.id, operation, stack });
          throw new AskRefused(
            text(operation.startsWith('session-') ? 'execution.session-failed' : 'execution.ask-failed'),
            locale,
          );
        }
      },
      progress: scope.progress,
      log: (level, message) => record('call-log', { callId: call.id, level, message }),
      live: {
        use: (token) => scope.services.get(token),
        client: scope.client,
        config: scope.configOf(tool).live,
      },
    },
    async settle() {
      ended.abort();
      await invoke.settle();
    },
    effect: invoke.effect,
    isParked: () => parked,
    heldMs: () => held.totalMs,
  };
}

/** A signal that is made when somebody first wants it: most calls ask the host for nothing. */
function lazyAbort() {
  let controller: AbortController | undefined;
  let aborted = false;
  return {
    get aborted() {
      return aborted;
    },
    get signal(): AbortSignal {
      controller ??= new AbortController();
      if (aborted) controller.abort(ENDED);
      return controller.signal;
    },
    abort(): void {
      aborted = true;
      controller?.abort(ENDED);
    },
  };
}

/** What a child may send: types and sizes are checked. */
function readQuestion(
  ordinal: Json | undefined,
  text: Json | undefined,
  options: Json | undefined,
): Pick<QuestionRequest, 'ordinal' | 'text' | 'options'> | undefined {
  if (typeof ordinal !== 'number' || !Number.isInteger(ordinal) || ordinal < 1 || ordinal > QUESTIONS) return undefined;
  if (typeof text !== 'string' || text.trim() === '' || codePoints(text) > QUESTION_CHARS) return undefined;
  if (options === undefined || options === null) return { ordinal, text };
  if (!Array.isArray(options) || options.length === 0 || options.length > OPTIONS) return undefined;
  const isOption = (one: unknown): one is string =>
    typeof one === 'string' && one.trim() !== '' && codePoints(one) <= OPTION_CHARS;
  return options.every(isOption) ? { ordinal, text, options } : undefined;
}
