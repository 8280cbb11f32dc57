export { ModelError, type ModelErrorCode } from './model-error.ts';
export { createOfflineModel, type OfflineModelOptions } from './offline/create-offline-model.ts';
export type { ProposedCall } from './proposed-call.ts';
export { type ModelRequest, type ModelStep, readModelStream } from './read-model-stream.ts';
export { type ResolvedModel, type ResolveModelOptions, resolveModel } from './resolve-model.ts';
export { type PromptSource, toModelPrompt } from './to-model-prompt.ts';
