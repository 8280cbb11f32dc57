import { createMask, type LoadedConfig, maskMessage } from './config/index.ts';
import { BaigongError } from './contracts/baigong-error.ts';
import { text } from './contracts/texts/text.ts';
import { ModelError } from './models/index.ts';
import { StoreError } from './store/index.ts';

/** Names of models and folders may come by reference too. */
export function withoutSecrets(error: unknown, { secretTexts }: LoadedConfig): unknown {
  if (!BaigongError.isInstance(error)) return error;
  const mask = createMask(secretTexts);
  const { code, hint, problems, cause } = error;
  return new BaigongError(code, {
    reason: maskMessage(error.reason, mask),
    problems,
    ...(hint === undefined ? {} : { hint: maskMessage(hint, mask) }),
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Errors of the floors below, as the embedded API documents them. */
export function toBaigongError(error: unknown): unknown {
  if (ModelError.isInstance(error)) {
    return new BaigongError('MODEL_UNAVAILABLE', { reason: error.reason, cause: error });
  }
  if (StoreError.isInstance(error) && error.code === 'CLOSED') {
    return new BaigongError('CLOSED', { reason: text('agent.closed'), cause: error });
  }
  if (StoreError.isInstance(error)) return new BaigongError('STORE_UNUSABLE', { reason: error.reason, cause: error });
  return error;
}
