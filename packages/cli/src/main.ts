#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

// Before anything else is loaded, so that everything else profits.
enableCompileCache();
const { createProgram } = await import('./program.ts');
process.exitCode = await createProgram().run(process.argv.slice(2));
