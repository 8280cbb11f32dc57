import type { MessageKey } from '../contracts/message-key.ts';
import { text } from '../contracts/texts/text.ts';
import { describeFailure, type Failure } from './describe-failure.ts';
import { ModelError, type ModelErrorCode } from './model-error.ts';

export interface FailureContext {
  /** `provider/model`, for the sentence. */
  readonly model: string;
  /** Set when the caller gave up: with the reason of its signal. */
  readonly aborted: { readonly reason: unknown } | undefined;
  /** Takes the key out of a text. */
  readonly hide: (text: string) => string;
}

const NO_CREDIT = /insufficient[_ ](quota|balance|funds)|credit balance|arrearage|余额不足|欠费/i;
const CONTEXT =
  /context[_ ](length|window|size)|maximum context|(prompt|input|request|messages?) (is |are )?too (long|large)|too many (input )?tokens|token limit|exceeds? .{0,40}tokens|range of input length|上下文(长度|窗口)?超|(长度|输入)超(出|过|限)/i;
const UNKNOWN_MODEL =
  /model[_ ]not[_ ](found|exist)|model .{0,100}(does not|doesn.t|not) exist|(no such|unknown|invalid) model|not a valid model|模型不存在/i;
const UNAUTHORIZED =
  /invalid[_ ](x-)?api[_ -]key|incorrect api key|api[_ ]key[_ ](not[_ ]valid|invalid)|authentication|unauthorized|permission[_ ]denied/i;
const RATE_LIMITED = /rate[_ ]?limit|too many requests|请求过多|限流/i;
const SERVER_ERROR = /overloaded|server[_ ]error|internal[_ ](server[_ ])?error|unavailable/i;

/**
 * One typed error for whatever a provider's package threw or streamed. What the packages agree on is read (`statusCode`,
 * `responseBody`, `cause` with `code`), not their classes, so that none of them has to be loaded for it.
 */
export function toModelError(error: unknown, context: FailureContext): ModelError {
  if (ModelError.isInstance(error)) return error;
  const failure = describeFailure(error, context.hide);
  const { code, reason, retryable } = judge(failure, context);
  return new ModelError(code, reason, { retryable, cause: failure.cause });
}

interface Judgement {
  readonly code: ModelErrorCode;
  readonly reason: MessageKey;
  readonly retryable: boolean;
}

function judge(failure: Failure, context: FailureContext): Judgement {
  const name = context.model;
  if (context.aborted !== undefined && !isTimeOut(context.aborted.reason)) {
    return { code: 'ABORTED', reason: text('models.aborted', { name }), retryable: false };
  }
  if (context.aborted !== undefined || failure.kind === 'time-out') {
    return { code: 'TIMEOUT', reason: text('models.time-out', { name }), retryable: true };
  }
  if (failure.kind === 'abort') return { code: 'ABORTED', reason: text('models.aborted', { name }), retryable: false };
  const refused = judgeRefusal(failure, name);
  if (refused !== undefined) return refused;
  if (failure.kind === 'network' && failure.status === undefined) {
    const reason = text('models.no-connection', { name, host: failure.host ?? name });
    return { code: 'NO_CONNECTION', reason, retryable: true };
  }
  if (failure.kind === 'unsupported') {
    const reason = text('models.unsupported-request', { name, reason: failure.message });
    return { code: 'BAD_REQUEST', reason, retryable: false };
  }
  return { code: 'BROKEN_ANSWER', reason: text('models.broken-answer', { name }), retryable: true };
}

/** What the service itself said; by its HTTP status, and by its words where there is none or it says too little. */
function judgeRefusal(failure: Failure, name: string): Judgement | undefined {
  const { status, words } = failure;
  const isRequestFault = status === undefined ? failure.kind === 'service' : status >= 400 && status < 500;
  if (status !== undefined && status < 400) return undefined;
  if (status === undefined && failure.kind !== 'service') return undefined;
  const shown = { name, status: failure.shownStatus };
  if (status === 402 || (isRequestFault && NO_CREDIT.test(words))) {
    return { code: 'NO_CREDIT', reason: text('models.no-credit', { name }), retryable: false };
  }
  if (status === 429 || (status === undefined && RATE_LIMITED.test(words))) {
    return { code: 'RATE_LIMITED', reason: text('models.rate-limited', shown), retryable: true };
  }
  if (status === 401 || status === 403 || (isRequestFault && UNAUTHORIZED.test(words))) {
    return { code: 'UNAUTHORIZED', reason: text('models.unauthorized', shown), retryable: false };
  }
  if (isRequestFault && CONTEXT.test(words)) {
    return { code: 'CONTEXT_TOO_LONG', reason: text('models.context-too-long', { name }), retryable: false };
  }
  if (status === 404 || (isRequestFault && UNKNOWN_MODEL.test(words))) {
    return { code: 'UNKNOWN_MODEL', reason: text('models.unknown-model', shown), retryable: false };
  }
  if (status === 408) return { code: 'TIMEOUT', reason: text('models.time-out', { name }), retryable: true };
  if ((status ?? 0) >= 500 || (status === undefined && SERVER_ERROR.test(words))) {
    return { code: 'SERVER_ERROR', reason: text('models.server-error', shown), retryable: true };
  }
  if (status === undefined) return undefined;
  const reason = text('models.bad-request', { ...shown, reason: failure.message });
  return { code: 'BAD_REQUEST', reason, retryable: status === 409 };
}

function isTimeOut(reason: unknown): boolean {
  return typeof reason === 'object' && reason !== null && (reason as { name?: unknown }).name === 'TimeoutError';
}
