import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { compileOptions } from './compile-options.ts';
import type { SourceFile } from './serve-sources.ts';

/** Names what compiling a source gives: SHA-256 over all that it depends on, in hexadecimal. */
export type TransformKey = (source: SourceFile) => string;

/** To be raised whenever what we make of the compiler's output changes. */
const OUTPUT_VERSION = 1;

/**
 * Keys for the version of the compiler that is installed, told from its package.json without loading it. Undefined when
 * that cannot be read: then nothing can be kept.
 */
export function createTransformKeys(): TransformKey | undefined {
  let version: unknown;
  try {
    const path = createRequire(import.meta.url).resolve('esbuild/package.json');
    version = (JSON.parse(readFileSync(path, 'utf8')) as { version?: unknown }).version;
  } catch {
    return undefined;
  }
  if (typeof version !== 'string') return undefined;
  const prefix = JSON.stringify([OUTPUT_VERSION, version, compileOptions]);
  // The path is part of it: names of variables, the source map and warnings are made from it.
  return ({ path, text, inModulePackage }) =>
    hash('sha256', `${prefix}${JSON.stringify([path, inModulePackage])}\n${text}`, 'hex');
}
