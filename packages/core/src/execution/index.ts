export { createInlineExecutor } from './inline-executor.ts';
export { createProcessExecutor } from './process-executor.ts';
export { ValidatorFailure } from './validator-failure.ts';
