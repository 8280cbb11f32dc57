import { inspect } from 'node:util';
import type { ToolContext } from '../authoring/tool-context.ts';
import type { CallRequest, ContextHost, LogLevel } from '../contracts/executor.ts';
import type { FetchAnswer } from '../contracts/fetch-exchange.ts';
import type { HistoryMessage } from '../contracts/history-message.ts';
import type { Json } from '../contracts/json.ts';
import type { MessageKey } from '../contracts/message-key.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
import type { AskHost } from './ask-host.ts';
import { createContextFetch } from './context-fetch.ts';
import { createContextInvoke } from './context-invoke.ts';
import { createContextQuestion } from './context-question.ts';
import { createContextUse } from './context-use.ts';
import { executionLimits } from './execution-limits.ts';
import { notJsonText } from './not-json-text.ts';
import { plainJson } from './plain-json.ts';

/** The context of one call. After `end` it reaches nobody any more. */
export interface BoundedContext {
  readonly context: ToolContext;
  end(): void;
}

/**
 * What `execute` gets as its second argument, everything bounded before it reaches the host: progress that is not
 * JSON, too large or too frequent is dropped, long log lines are cut, whatever goes to the host must be JSON. `hold` is
 * told while a person is waited for.
 */
export function createToolContext(
  request: CallRequest,
  host: ContextHost,
  signal: AbortSignal,
  hold?: (waiting: boolean) => void,
): BoundedContext {
  const { locale } = request;
  const { live } = host;
  let ended = false;
  let progressLeft: number = executionLimits.progressPerCall;
  let logsLeft: number = executionLimits.logsPerCall;

  const say = (message: MessageKey) => renderText(message, locale);

  const ask: AskHost = async (operation, args, asking = signal) => {
    if (ended) {
      throw new Error(
        say(
          operation.startsWith('session-')
            ? text('execution.session-after-end')
            : text('execution.context-after-end', { member: operation }),
        ),
      );
    }
    return host.ask(operation, args, asking, hold);
  };

  const log = (level: LogLevel, message: unknown): void => {
    if (ended || logsLeft <= 0) return;
    logsLeft -= 1;
    host.log(level, asText(message).slice(0, executionLimits.logChars));
  };

  const progress = (message: Json): void => {
    if (ended || progressLeft <= 0) return;
    const plain = plainJson(message);
    if (!plain.ok || plain.value === undefined) return;
    if (Buffer.byteLength(JSON.stringify(plain.value)) > executionLimits.progressBytes) return;
    progressLeft -= 1;
    host.progress(plain.value);
  };

  const checkKey = (key: unknown): string => {
    if (typeof key === 'string' && key.length <= executionLimits.sessionKeyChars) return key;
    throw new TypeError(say(text('execution.session-key', { limit: executionLimits.sessionKeyChars })));
  };

  const context: ToolContext = {
    config: live === undefined ? request.config : live.config,
    use: createContextUse({ request, host, ask }),
    origin: request.origin,
    principal: request.principal,
    policy: request.policy,
    ...(request.policy.attended ? { question: createContextQuestion(ask, locale) } : {}),
    $client: live?.client,
    session: {
      id: request.sessionKey,
      async get(key: string, fallback?: Json) {
        const value = await ask('session-get', [checkKey(key)]);
        return value === undefined ? fallback : value;
      },
      async set(key, value) {
        const known = checkKey(key);
        const plain = plainJson(value);
        if (!plain.ok) throw new TypeError(say(notJsonText('execution.session-not-json', plain, locale, { key })));
        await ask('session-set', [known, plain.value ?? null]);
      },
      async delete(key) {
        await ask('session-delete', [checkKey(key)]);
      },
    } as ToolContext['session'],
    async history(options) {
      const limit: unknown = options?.limit ?? executionLimits.historyMessages;
      const most = executionLimits.historyMessagesAtMost;
      if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1 || limit > most) {
        throw new RangeError(say(text('execution.history-limit', { most, found: inspect(limit).slice(0, 100) })));
      }
      const messages = (await ask('history', [limit])) as unknown as readonly HistoryMessage[];
      // In this process the host's own list must not change by what the code does with it.
      return structuredClone(messages);
    },
    locale,
    timeZone: request.timeZone,
    signal,
    log: {
      debug: (message) => log('debug', message),
      info: (message) => log('info', message),
      warn: (message) => log('warn', message),
      error: (message) => log('error', message),
    },
    progress,
    fetch: createContextFetch({
      ask: async (exchange, asking) => (await ask('fetch', [exchange as Json], asking)) as unknown as FetchAnswer,
      locale,
      signal,
    }),
    call: {
      turnId: request.turnId,
      callId: request.callId,
      toolName: request.toolName,
      attempt: request.attempt,
      idempotencyKey: request.idempotencyKey,
    },
    invoke: createContextInvoke(ask, locale),
  };
  return {
    context,
    end: () => {
      ended = true;
    },
  };
}

/** Authors log errors and objects too, whatever the types say. */
function asText(message: unknown): string {
  return typeof message === 'string' ? message : inspect(message);
}
