import type { LineCounter, Node, Pair } from 'yaml';
import type { Json, JsonObject } from '../contracts/json.ts';

export interface FrontMatter {
  /** Absent when it could not be read. */
  readonly fields?: JsonObject;
  /** Where and why it could not, lines and columns from 1. Without a reason it is YAML, but no keys with values. */
  readonly fault?: { readonly line: number; readonly column: number; readonly reason?: string };
  /** First line whose value had to be quoted before the rest could be read. */
  readonly quoted?: number;
  /** Keys that stand there more than once; the last one counts. */
  readonly repeated: readonly string[];
}

/** Values that are texts whatever they look like: `version: 1.10` is no number. */
const TEXT_FIELDS: ReadonlySet<string> = new Set(['name', 'description', 'version', 'category']);
/** Levels of lists and maps. */
const DEEPEST = 32;

/**
 * Reads YAML front matter (the lines between the two `---`) as plain data. Where it is no YAML, plain values that hold
 * a colon, or begin as none may, are taken as texts, and it is tried again. Integers beyond 2^53, infinities and
 * what YAML calls "not a number" stay the texts that they are. Never throws for what is written; bounded for aliases
 * and depth.
 *
 * @example
 * (await parseFrontMatter('name: a\ndescription: Use when: needed')).fields // { name: 'a', description: 'Use when: needed' }
 */
export async function parseFrontMatter(text: string): Promise<FrontMatter> {
  const first = await parseOnce(text);
  if (first.fault === undefined) return first;
  const { text: quoted, line } = quoteValues(text);
  if (line === undefined) return first;
  const second = await parseOnce(quoted);
  return second.fault === undefined ? { ...second, quoted: line } : first;
}

async function parseOnce(text: string): Promise<FrontMatter> {
  const { isMap, isScalar, LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  const fail = (offset: number, reason?: string): FrontMatter => ({
    fault: { ...placeOf(lines, offset), ...(reason === undefined ? {} : { reason }) },
    repeated: [],
  });
  try {
    // The library compares each key with each other; `repeatedKeys` takes linear time.
    const document = parseDocument(text, {
      lineCounter: lines,
      prettyErrors: false,
      uniqueKeys: false,
      intAsBigInt: true,
      logLevel: 'silent',
    });
    const [error] = document.errors;
    if (error !== undefined) return fail(error.pos[0], error.message);
    const { contents } = document;
    if (!isMap(contents)) return fail(contents?.range?.[0] ?? 0);
    const texts = new Map<string, string>();
    for (const { key, value } of contents.items as readonly Pair<unknown, Node | null>[]) {
      if (!isScalar(key) || !isScalar(value) || value.value === null || typeof value.value === 'string') continue;
      const name = String(key.value);
      if (TEXT_FIELDS.has(name)) texts.set(name, value.source ?? String(value.value));
    }
    const plain = toJson(document.toJS({ maxAliasCount: 100 }), 0) as JsonObject;
    const fields = Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, texts.get(name) ?? value]));
    const names = contents.items.flatMap(({ key }) => (isScalar(key) ? [String(key.value)] : []));
    return { fields, repeated: repeatedKeys(names) };
  } catch (error) {
    // Too many aliases (ReferenceError), too deep (RangeError), or an alias of nothing.
    if (!(error instanceof Error)) throw error;
    return fail(0, error.message);
  }
}

function placeOf(lines: LineCounter, offset: number): { readonly line: number; readonly column: number } {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
}

function toJson(value: unknown, depth: number): Json {
  if (depth > DEEPEST) throw new RangeError(`depth > ${DEEPEST}`);
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value.toString();
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (value === undefined || value === null) return null;
  if (typeof value !== 'object') return value as string | boolean;
  if (Array.isArray(value)) return value.map((item) => toJson(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, toJson(item, depth + 1)]));
}

function repeatedKeys(names: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const name of names) (seen.has(name) ? repeated : seen).add(name);
  return [...repeated];
}

const KEY_LINE = /^([A-Za-z0-9_.-]+):[ \t]+(?![ \t])(.*)$/;

/** Quotes values of top-level keys that are no YAML as they stand. Lines keep their numbers. */
function quoteValues(text: string): { readonly text: string; readonly line?: number } {
  const lines = text.split('\n');
  let first: number | undefined;
  for (let index = 0; index < lines.length; index++) {
    const [, key, start = ''] = KEY_LINE.exec(lines[index] ?? '') ?? [];
    if (key === undefined || start === '' || /^["'|>[{&*!#]/.test(start)) continue;
    let end = index + 1;
    while (end < lines.length && /^[ \t]+\S/.test(lines[end] ?? '')) end++;
    const value = [start, ...lines.slice(index + 1, end)].map((line) => line.trim()).join(' ');
    if (!/:(?:[ \t]|$)|^[@`%]/.test(value)) continue;
    first ??= index + 1;
    lines[index] = `${key}: ${JSON.stringify(value)}`;
    for (let line = index + 1; line < end; line++) lines[line] = '';
    index = end - 1;
  }
  return first === undefined ? { text } : { text: lines.join('\n'), line: first };
}
