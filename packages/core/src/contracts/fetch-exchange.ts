import type { MessageKey } from './message-key.ts';

/** One request of `context.fetch`, as plain data. The host believes none of it. */
export type FetchRequest = {
  /** As the tool's code wrote it, so that it is judged before any parser smooths it. */
  readonly url: string;
  readonly method: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Base64. */
  readonly body?: string;
  /** What to do about an answer that names another place; absent = `follow`. */
  readonly redirect?: 'follow' | 'manual' | 'error';
};

/** `aborted` = the call ended or was cancelled; `too-large` = the answer's body is beyond the limit. */
export type FetchFailureKind = 'network' | 'timeout' | 'too-large' | 'aborted';

/** What the host says to a {@link FetchRequest}. */
export type FetchAnswer =
  | {
      readonly status: number;
      readonly statusText: string;
      /** Several of one name stay several; values hold one character per byte, as `Headers` wants them. */
      readonly headers: readonly (readonly [name: string, value: string])[];
      /** Base64, decompressed. */
      readonly body: string;
      /** Where the answer came from in the end. */
      readonly url: string;
      readonly redirected: boolean;
    }
  | { readonly refused: MessageKey }
  | { readonly failed: MessageKey; readonly kind: FetchFailureKind };
