import type { Message } from 'esbuild';

/** Where a message of the compiler points, as `:line:column` behind a file's name; empty when it points nowhere. */
export function compilerPlace({ location }: Message): string {
  if (location === null) return '';
  // esbuild counts columns in bytes from 0, people in characters from 1.
  const before = Buffer.from(location.lineText).subarray(0, location.column).toString();
  return `:${location.line}:${[...before].length + 1}`;
}
