import type { ContextOperation } from '../contracts/executor.ts';
import type { Json } from '../contracts/json.ts';

/** Asks the host on behalf of running code, as long as its call runs. `signal`: default that of the call. */
export type AskHost = (
  operation: ContextOperation,
  args: readonly Json[],
  signal?: AbortSignal,
) => Promise<Json | undefined>;
