export { configKeys } from './config-keys.ts';
export { createMask } from './create-mask.ts';
export type { ConfigLevel } from './layer.ts';
export { type LoadConfigOptions, type LoadedConfig, loadConfig } from './load-config.ts';
export { maskMessage } from './mask-message.ts';
export { maskProblem } from './mask-problem.ts';
export type { ConfigOrigin } from './merge-layers.ts';
export { providerEnvironment } from './provider-environment.ts';
export { type ConfigRow, showConfig } from './show-config.ts';
