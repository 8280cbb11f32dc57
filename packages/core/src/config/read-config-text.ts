import type { Document, Node, ParsedNode } from 'yaml';
import { MAX_JSON_DEPTH } from '../contracts/json-depth.ts';
import type { Problem } from '../contracts/problem.ts';
import { showText } from '../contracts/show-text.ts';
import { text } from '../contracts/texts/text.ts';
import { compilerPlace } from '../registry/compiler-place.ts';
import { formatKeyPath } from './format-key-path.ts';
import type { KeyPath } from './key-path.ts';

/** What a configuration file in YAML or JSON says. */
export interface ConfigText {
  /** Absent when it cannot be told. */
  readonly value?: unknown;
  readonly lineOf: (path: KeyPath) => LinePosition | undefined;
  readonly problems: readonly Problem[];
}

interface LinePosition {
  readonly line: number;
  readonly column: number;
}

/** Problems of one file; a file that is no YAML at all has thousands. */
const MOST_FAULTS = 20;

/** How often aliases of YAML may multiply what they stand for. */
const MAX_ALIASES = 100;

/**
 * Reads YAML 1.2 (core schema, no other tags) or JSON, by the name's ending. Faults name line and column, and nothing
 * of what the file holds but keys.
 */
export async function readConfigText(name: string, content: string): Promise<ConfigText> {
  const { LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  const placeAt = (offset: number): LinePosition => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  let document: Document.Parsed;
  try {
    document = parseDocument(content, {
      lineCounter: lines,
      schema: 'core',
      version: '1.2',
      resolveKnownTags: false,
      prettyErrors: false,
      logLevel: 'error',
    });
  } catch (error) {
    return failed(syntaxProblem(name, showText(error instanceof Error ? error.message : String(error))));
  }
  const isJson = name.endsWith('.json');
  const duplicates = document.errors.filter(({ code }) => code === 'DUPLICATE_KEY');
  const problems = duplicates.map(({ pos }) => {
    const { line, column } = placeAt(pos[0]);
    return duplicateProblem(`${name}:${line}:${column}`, keyAt(document.contents, pos[0]));
  });

  let value: unknown;
  if (isJson) {
    try {
      value = JSON.parse(content);
    } catch {
      return failed(await jsonProblem(name, content));
    }
  } else {
    const faults = [...document.errors, ...document.warnings].filter(({ code }) => code !== 'DUPLICATE_KEY');
    if (faults.length > 0) {
      const said = new Map<string, Problem>();
      for (const { code, message, pos } of faults.slice(0, MOST_FAULTS)) {
        const { line, column } = placeAt(pos[0]);
        const isDeep = code === 'RESOURCE_EXHAUSTION' || /call stack/.test(message);
        const place = isDeep ? name : `${name}:${line}:${column}`;
        const reason = isDeep ? `[[[…]]] > ${MAX_JSON_DEPTH}` : showText(message);
        said.set(`${place} ${reason}`, syntaxProblem(place, reason));
      }
      return failed(...problems, ...said.values());
    }
    try {
      // An empty file says nothing, which is no fault.
      value = document.toJS({ maxAliasCount: MAX_ALIASES }) ?? (document.contents === null ? {} : null);
    } catch (error) {
      const reason = showText(error instanceof Error ? error.message : String(error));
      return failed(...problems, syntaxProblem(name, reason));
    }
    if (isEmptyScalar(document.contents)) value = {};
  }
  return { value, lineOf: lineFinder(document.contents, placeAt), problems };
}

function failed(...problems: readonly Problem[]): ConfigText {
  return { lineOf: () => undefined, problems };
}

function isEmptyScalar(node: ParsedNode | null): boolean {
  return node === null || ('source' in node && node.source === '');
}

/** Finds where a key stands: its own place, else that of the nearest key around it. */
function lineFinder(
  root: Node | null,
  placeAt: (offset: number) => LinePosition,
): (path: KeyPath) => LinePosition | undefined {
  return (path) => {
    let node: unknown = root;
    let offset: number | undefined;
    for (const part of path) {
      const found = findItem(node, part);
      if (found === undefined) break;
      offset = found.offset ?? offset;
      node = found.node;
    }
    return offset === undefined ? undefined : placeAt(offset);
  };
}

function findItem(
  node: unknown,
  part: string | number,
): { readonly node: unknown; readonly offset: number | undefined } | undefined {
  const items = itemsOf(node);
  if (items === undefined) return undefined;
  if (typeof part === 'number') {
    const item = items[part];
    return item === undefined ? undefined : { node: item, offset: offsetOf(item) };
  }
  // Of two keys of one name the last one counts.
  const pair = items.findLast((one) => isPair(one) && String(scalarOf(one.key)) === part);
  return isPair(pair) ? { node: pair.value, offset: offsetOf(pair.key) } : undefined;
}

function itemsOf(node: unknown): readonly unknown[] | undefined {
  return typeof node === 'object' && node !== null && 'items' in node && Array.isArray(node.items)
    ? node.items
    : undefined;
}

function isPair(item: unknown): item is { readonly key: unknown; readonly value: unknown } {
  return typeof item === 'object' && item !== null && 'key' in item && 'value' in item;
}

function scalarOf(node: unknown): unknown {
  return typeof node === 'object' && node !== null && 'value' in node ? node.value : node;
}

function offsetOf(node: unknown): number | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range)) return undefined;
  const [start] = node.range as readonly unknown[];
  return typeof start === 'number' ? start : undefined;
}

/** The key whose name begins at an offset. */
function keyAt(root: unknown, offset: number): string {
  const open: { readonly node: unknown; readonly path: KeyPath }[] = [{ node: root, path: [] }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const [index, item] of (itemsOf(next.node) ?? []).entries()) {
      if (!isPair(item)) {
        open.push({ node: item, path: [...next.path, index] });
        continue;
      }
      const path = [...next.path, String(scalarOf(item.key))];
      if (offsetOf(item.key) === offset) return formatKeyPath(path);
      open.push({ node: item.value, path });
    }
  }
  return formatKeyPath([]);
}

function syntaxProblem(file: string, reason: string): Problem {
  return {
    code: 'SYNTAX_ERROR',
    file,
    message: text('config.syntax-error', { file, reason }),
    hint: text('config.syntax-error-hint'),
    fatal: true,
  };
}

function duplicateProblem(file: string, key: string): Problem {
  return {
    code: 'DUPLICATE_KEY',
    file,
    field: key,
    message: text('config.duplicate-key', { file, key }),
    hint: text('config.duplicate-key-hint'),
    fatal: true,
  };
}

/** `JSON.parse` does not always say where, and quotes the file, which may hold a key; the compiler does neither. */
async function jsonProblem(name: string, content: string): Promise<Problem> {
  const { transform } = await import('esbuild');
  let file = name;
  try {
    await transform(content, { loader: 'json', logLevel: 'silent' });
  } catch (error) {
    const [first] = (error as { readonly errors?: readonly Parameters<typeof compilerPlace>[0][] }).errors ?? [];
    if (first !== undefined) file = `${name}${compilerPlace(first)}`;
  }
  return {
    code: 'SYNTAX_ERROR',
    file,
    message: text('config.not-valid-json', { file }),
    hint: text('config.syntax-error-hint'),
    fatal: true,
  };
}
