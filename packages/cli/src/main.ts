#!/usr/bin/env node
import * as nodeModule from 'node:module';

// Before anything else is loaded, so that everything else profits. Older versions of Node lack it.
nodeModule.enableCompileCache?.();

// What this program builds on is experimental in the words of Node; people at a terminal can do nothing about it.
const { emit } = process;
process.emit = function (this: NodeJS.Process, event: string, ...values: unknown[]) {
  const [warning] = values;
  if (event === 'warning' && warning instanceof Error && warning.name === 'ExperimentalWarning') return false;
  return Reflect.apply(emit, this, [event, ...values]) as boolean;
} as typeof process.emit;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `Baigong needs Node 22.18 or newer; this is ${process.version}.\n百工需要 Node 22.18 或更高版本。\n`,
  );
  process.exitCode = 1;
} else {
  const { createProgram } = await import('./program.ts');
  process.exitCode = await createProgram().run(process.argv.slice(2));
}
