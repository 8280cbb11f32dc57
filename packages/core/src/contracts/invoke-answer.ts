import type { Json } from './json.ts';
import type { Effect, OutcomeCode } from './outcome.ts';

/** What the host answers to the context operation `invoke`, as plain data. Texts are in the reader's language. */
export type InvokeAnswer =
  | {
      readonly status: 'success';
      readonly value: Json;
      /** The value is a list of content parts. */
      readonly isParts?: boolean;
    }
  | {
      readonly status: 'error';
      readonly toolName: string;
      readonly code: OutcomeCode;
      readonly reason: string;
      readonly hint: string;
      readonly retryable: boolean;
      readonly effect: Effect;
    };
