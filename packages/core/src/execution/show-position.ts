import type { SourcePosition } from './map-stack.ts';

/** `tools/weather/index.ts:12:9` */
export function showPosition({ path, line, column }: SourcePosition): string {
  return `${path}:${line}:${column}`;
}
