export type { Turn, TurnLimits, TurnResult } from './agent/index.ts';
export * from './authoring/index.ts';
export * from './contracts/index.ts';
export { createRuntime, type Runtime } from './runtime.ts';
export type { CallInput, CallOptions, RequestBase, RunRequest, RuntimeOptions } from './runtime-options.ts';
