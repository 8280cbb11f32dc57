export { exitCode } from './exit-code.ts';
export { createProgram, type Program } from './program.ts';
