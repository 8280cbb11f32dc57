import { inspect } from 'node:util';
import type { ToolContext } from '../authoring/tool-context.ts';
import type { CallRequest, ContextHost, LogLevel } from '../contracts/executor.ts';
import type { Json } from '../contracts/json.ts';
import type { MessageKey } from '../contracts/message-key.ts';
import { renderText } from '../contracts/texts/render-text.ts';
import { text } from '../contracts/texts/text.ts';
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
 * JSON, too large or too frequent is dropped, long log lines are cut, session values must be JSON.
 */
export function createToolContext(request: CallRequest, host: ContextHost, signal: AbortSignal): BoundedContext {
  let ended = false;
  let progressLeft: number = executionLimits.progressPerCall;
  let logsLeft: number = executionLimits.logsPerCall;

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

  const session = async (operation: 'get' | 'set' | 'delete', key: unknown, value?: unknown) => {
    const say = (message: MessageKey) => renderText(message, request.locale);
    if (ended) throw new Error(say(text('execution.session-after-end')));
    if (typeof key !== 'string' || key.length > executionLimits.sessionKeyChars) {
      throw new TypeError(say(text('execution.session-key', { limit: executionLimits.sessionKeyChars })));
    }
    if (operation !== 'set') return host.session(operation, key);
    const plain = plainJson(value);
    if (!plain.ok) throw new TypeError(say(notJsonText('execution.session-not-json', plain, request.locale, { key })));
    return host.session(operation, key, plain.value ?? null);
  };

  const context: ToolContext = {
    config: request.config,
    origin: request.origin,
    principal: request.principal,
    session: {
      id: request.sessionKey,
      async get(key: string, fallback?: Json) {
        const value = await session('get', key);
        return value === undefined ? fallback : value;
      },
      async set(key, value) {
        await session('set', key, value);
      },
      async delete(key) {
        await session('delete', key);
      },
    } as ToolContext['session'],
    locale: request.locale,
    timeZone: request.timeZone,
    signal,
    log: {
      debug: (message) => log('debug', message),
      info: (message) => log('info', message),
      warn: (message) => log('warn', message),
      error: (message) => log('error', message),
    },
    progress,
    call: { turnId: request.turnId, callId: request.callId, toolName: request.toolName },
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
