export { createInlineExecutor, type InlineExecutor } from './inline-executor.ts';
export { createProcessExecutor, type ProcessExecutor, type ProcessExecutorOptions } from './process-executor.ts';
export { ValidatorFailure } from './validator-failure.ts';
