export { ModelError } from './model-error.ts';
export { providerProfiles } from './provider-profiles.ts';
export { type ModelStep, readModelStream } from './read-model-stream.ts';
export { type ResolvedModel, resolveModel } from './resolve-model.ts';
export { toModelPrompt } from './to-model-prompt.ts';
