export { createInlineExecutor } from './inline-executor.ts';
export { type PluginFailure, pluginFailure } from './plugin-failure.ts';
export { createProcessExecutor } from './process-executor.ts';
export { ValidatorFailure } from './validator-failure.ts';
