export {
  type RenderAskOptions,
  readQuestionAnswer,
  renderAsk,
  type Turn,
  type TurnLimits,
  type TurnResult,
} from './agent/index.ts';
export * from './authoring/index.ts';
export {
  type ConfigLevel,
  type ConfigOrigin,
  type ConfigRow,
  createMask,
  type LoadConfigOptions,
  type LoadedConfig,
  loadConfig,
  showConfig,
} from './config/index.ts';
export * from './contracts/index.ts';
export { type PluginFailure, pluginFailure } from './execution/index.ts';
export { createRuntime } from './runtime.ts';
export type { Runtime } from './runtime-face.ts';
export type {
  AnswerBy,
  AnswerInput,
  AnswerResult,
  CallInput,
  CallOptions,
  CancelResult,
  CancelTarget,
  CloseOptions,
  RequestBase,
  RunRequest,
  RuntimeOptions,
} from './runtime-options.ts';
export type { ReloadResult, RuntimeNotice } from './runtime-reload.ts';
