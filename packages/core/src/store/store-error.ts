import type { MessageKey } from '../contracts/message-key.ts';
import { renderText } from '../contracts/texts/render-text.ts';

const mark = Symbol.for('baigong.store-error');

export type StoreErrorCode =
  /** The file is no database, or another program's. */
  | 'NOT_A_STORE'
  /** A newer version of this software wrote the file. */
  | 'TOO_NEW'
  | 'CANNOT_OPEN'
  /** The copy that comes before a migration could not be made, so there was none. */
  | 'COPY_FAILED'
  /** The file could not be brought up to date; it is as it was, and its copy is named. */
  | 'MIGRATION_FAILED'
  /** The value is too big, or the session full. */
  | 'LIMIT'
  /** The disk or another process stood in the way. */
  | 'FAILED'
  | 'CLOSED'
  | 'UNKNOWN_TURN'
  | 'TURN_EXISTS'
  /** The turn is not running under this epoch: it has ended, is parked, or another process took it over. */
  | 'LEASE_LOST';

/**
 * Why a store could not be opened or did not do what it was asked. Nothing was written.
 * `reason` is for people in their language; `message` is the same in English, for logs.
 *
 * @example
 * if (StoreError.isInstance(error) && error.code === 'LEASE_LOST') return;
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;
  readonly reason: MessageKey;
  readonly [mark] = true;

  constructor(code: StoreErrorCode, reason: MessageKey, cause?: unknown) {
    super(renderText(reason, 'en'), cause === undefined ? undefined : { cause });
    this.code = code;
    this.reason = reason;
  }

  /** Holds across copies of this package, which `instanceof` does not. */
  static isInstance(value: unknown): value is StoreError {
    return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[mark] === true;
  }
}
