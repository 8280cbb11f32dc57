import { extname } from 'node:path';
import { sourceExtensions } from './source-extensions.ts';

/** Files that authors take for code, even those that we do not compile. */
const EXTENSIONS: ReadonlySet<string> = new Set([...sourceExtensions, '.tsx', '.jsx']);

/** By its name. Declarations of types are no code: nothing of them runs. */
export function isCodeFile(name: string): boolean {
  return EXTENSIONS.has(extname(name)) && !/\.d\.[mc]?ts$/.test(name);
}
