import type { ExecutorEnd } from '../contracts/executor.ts';

/** How a call ends that brought no result. */
export type FailedEnd = Extract<ExecutorEnd, { readonly ok: false }>;
