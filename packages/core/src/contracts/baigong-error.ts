import type { MessageKey } from './message-key.ts';
import type { Problem } from './problem.ts';
import { renderText } from './texts/render-text.ts';

const mark = Symbol.for('baigong.error');

/** What the caller of the embedded API can meet. */
export type BaigongErrorCode =
  | 'INVALID_INPUT'
  | 'INVALID_OPTION'
  | 'PROJECT_FAULTY'
  | 'MODEL_UNAVAILABLE'
  | 'STORE_UNUSABLE'
  | 'CLOSED'
  /** The call waits for a person; it goes on with the next runtime on this store. */
  | 'PARKED'
  | 'UNKNOWN_TURN';

export interface BaigongErrorDetails {
  readonly reason: MessageKey;
  readonly hint?: MessageKey;
  /** With `PROJECT_FAULTY`: everything that is wrong, fatal or not. */
  readonly problems?: readonly Problem[];
  readonly cause?: unknown;
}

/**
 * Thrown by the embedded API for a caller's mistake or an unusable surrounding. `message` is English for logs;
 * `reason` and `hint` are shown to people in their language with `renderText`.
 *
 * @example
 * try { await createRuntime({ project }) } catch (error) { if (BaigongError.isInstance(error)) error.problems }
 */
export class BaigongError extends Error {
  override readonly name = 'BaigongError';
  readonly code: BaigongErrorCode;
  readonly reason: MessageKey;
  readonly hint: MessageKey | undefined;
  readonly problems: readonly Problem[];
  readonly [mark] = true;

  constructor(code: BaigongErrorCode, details: BaigongErrorDetails) {
    super(renderText(details.reason, 'en'), details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.reason = details.reason;
    this.hint = details.hint;
    this.problems = details.problems ?? [];
  }

  /** Holds across copies of this package, which `instanceof` does not. */
  static isInstance(value: unknown): value is BaigongError {
    return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[mark] === true;
  }
}
