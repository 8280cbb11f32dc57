import type { MessageKey } from '../contracts/message-key.ts';
import { renderText } from '../contracts/texts/render-text.ts';

const mark = Symbol.for('baigong.model-error');

export type ModelErrorCode =
  // Choosing a model
  | 'BAD_MODEL_NAME'
  | 'UNKNOWN_PROVIDER'
  | 'MISSING_KEY'
  | 'BAD_KEY'
  | 'MISSING_BASE_URL'
  | 'BAD_BASE_URL'
  | 'PACKAGE_MISSING'
  // Asking it
  | 'UNAUTHORIZED'
  | 'UNKNOWN_MODEL'
  | 'NO_CREDIT'
  | 'RATE_LIMITED'
  | 'CONTEXT_TOO_LONG'
  | 'BAD_REQUEST'
  | 'SERVER_ERROR'
  | 'NO_CONNECTION'
  | 'TIMEOUT'
  | 'ABORTED'
  | 'BROKEN_ANSWER'
  | 'EMPTY_ANSWER'
  | 'ANSWER_WITHHELD';

/**
 * Why there is no model or no answer of one. `reason` is one sentence for people in their language (`message` is the
 * same in English, for logs); `cause` is what the provider's package threw, for the record. Neither ever holds a key.
 *
 * @example
 * if (ModelError.isInstance(error)) say(renderText(error.reason, locale));
 */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly code: ModelErrorCode;
  readonly reason: MessageKey;
  /** May the same request succeed later without any change? */
  readonly retryable: boolean;
  readonly [mark] = true;

  constructor(
    code: ModelErrorCode,
    reason: MessageKey,
    options: { readonly retryable?: boolean; readonly cause?: Error } = {},
  ) {
    super(renderText(reason, 'en'), options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.reason = reason;
    this.retryable = options.retryable ?? false;
  }

  /** Holds across copies of this package, which `instanceof` does not. */
  static isInstance(value: unknown): value is ModelError {
    return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[mark] === true;
  }
}
