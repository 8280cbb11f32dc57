import type { Json } from '../contracts/json.ts';
import type { MessageKey } from '../contracts/message-key.ts';
import type { Effect, ErrorOutcome, OutcomeCode } from '../contracts/outcome.ts';

interface FailureDetails {
  readonly message: MessageKey;
  readonly hint: MessageKey;
  readonly effect?: Effect;
  readonly retryable?: boolean;
  readonly details?: Json;
}

/** An error outcome. Without an `effect` nothing was started. The duration is filled in where the call ends. */
export function failure(code: OutcomeCode, details: FailureDetails): ErrorOutcome {
  return {
    status: 'error',
    effect: details.effect ?? 'none',
    code,
    message: details.message,
    hint: details.hint,
    retryable: details.retryable ?? false,
    ...(details.details === undefined ? {} : { details: details.details }),
    durationMs: 0,
  };
}
