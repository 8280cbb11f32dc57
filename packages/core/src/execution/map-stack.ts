import { SourceMap } from 'node:module';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ModuleGraph, SourceModule } from '../contracts/module-graph.ts';
import { executionLimits } from './execution-limits.ts';
import { readMember } from './read-member.ts';

/** A place in an author's file; line and column count from 1. */
export interface SourcePosition {
  /** Below the graph's root, with `/`. */
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

export interface StackMapper {
  /**
   * The stack of a thrown value (and of its causes), for the record: the author's lines instead of the compiled ones,
   * files of the graph named below its root, frames of Node and of this package left out.
   */
  stackOf(thrown: unknown): string | undefined;
  /** The innermost place in a file of the graph. */
  positionOf(thrown: unknown): SourcePosition | undefined;
  /** A place in a module's compiled code as the author's. */
  map(path: string, line: number, column: number): SourcePosition;
}

const FRAME = /^(\s+at (?:.*?\()?)((?:file:\/\/|\/|[A-Za-z]:[\\/]).*?):(\d+):(\d+)(\)?)$/;
const CAUSES = 4;

/** @example createStackMapper(graph).positionOf(error) // { path: 'tools/weather/index.ts', line: 12, column: 9 } */
export function createStackMapper(graph: Omit<ModuleGraph, 'digest'>): StackMapper {
  // Most graphs never fail, and each reload makes one.
  const byFile = once(() => new Map(graph.modules.map((module) => [join(graph.root, module.path), module])));
  const byPath = once(() => new Map(graph.modules.map((module) => [module.path, module])));
  const maps = new Map<string, SourceMap | undefined>();
  const ownFolder = join(import.meta.dirname, '..') + sep;

  function sourceMapOf(module: SourceModule): SourceMap | undefined {
    if (!maps.has(module.path)) maps.set(module.path, parseSourceMap(module.sourceMap));
    return maps.get(module.path);
  }

  function map(path: string, line: number, column: number): SourcePosition {
    const module = byPath().get(path);
    const entry = module === undefined ? undefined : sourceMapOf(module)?.findEntry(line - 1, column - 1);
    // Before the first mapping there is only what the compiler added.
    if (entry === undefined || !isMapped(entry)) return { path, line, column };
    return { path, line: entry.originalLine + 1, column: entry.originalColumn + 1 };
  }

  function frame(line: string): { readonly text: string; readonly position?: SourcePosition } | undefined {
    if (line.includes('(node:') || /^\s+at (async )?node:/.test(line)) return undefined;
    const match = FRAME.exec(line);
    if (match === null) return { text: line };
    const [, before = '', place = '', row = '', column = '', after = ''] = match;
    const file = place.startsWith('file://') ? fileURLToPath(place) : place;
    const module = byFile().get(file);
    if (module !== undefined) {
      const position = map(module.path, Number(row), Number(column));
      return { text: `${before}${position.path}:${position.line}:${position.column}${after}`, position };
    }
    if (file.startsWith(ownFolder)) return undefined;
    const below = relative(graph.root, file);
    const isBelow = below !== '' && !below.startsWith('..');
    return { text: `${before}${isBelow ? below.replaceAll(sep, '/') : file}:${row}:${column}${after}` };
  }

  function stackOf(thrown: unknown): string | undefined {
    const parts: string[] = [];
    let current = thrown;
    while (current !== undefined && parts.length < CAUSES) {
      const stack = stackTextOf(current);
      if (stack === undefined) break;
      const frames = stack.frames.flatMap((line) => frame(line)?.text ?? []);
      parts.push([stack.head, ...frames].join('\n'));
      current = readMember(current, 'cause');
    }
    return parts.length === 0 ? undefined : parts.join('\nCaused by: ').slice(0, executionLimits.stackChars);
  }

  function positionOf(thrown: unknown): SourcePosition | undefined {
    for (const line of stackTextOf(thrown)?.frames ?? []) {
      const position = frame(line)?.position;
      if (position !== undefined) return position;
    }
    return undefined;
  }

  return { stackOf, positionOf, map };
}

function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Message and frames of a stack. A message may have lines of its own, so the frames are the lines at the end. */
function stackTextOf(thrown: unknown): { readonly head: string; readonly frames: readonly string[] } | undefined {
  const stack = readMember(thrown, 'stack');
  if (typeof stack !== 'string') return undefined;
  const lines = stack.split('\n');
  const last = lines.findLastIndex((line) => !/^\s+at /.test(line));
  return { head: lines.slice(0, last + 1).join('\n'), frames: lines.slice(last + 1) };
}

function isMapped(entry: object): entry is { readonly originalLine: number; readonly originalColumn: number } {
  return typeof (entry as { readonly originalLine?: unknown }).originalLine === 'number';
}

function parseSourceMap(text: string | undefined): SourceMap | undefined {
  if (text === undefined) return undefined;
  try {
    return new SourceMap(JSON.parse(text));
  } catch {
    return undefined;
  }
}
