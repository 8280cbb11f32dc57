import type { BuildOptions, BuildResult, Message, Metafile } from 'esbuild';
import type { Problem } from '../contracts/problem.ts';
import { showText } from '../contracts/show-text.ts';
import { text } from '../contracts/texts/text.ts';
import { compileOptions } from './compile-options.ts';
import type { Compilation, CompiledFile } from './compiled-file.ts';
import { compilerPlace } from './compiler-place.ts';
import { type SourceFile, serveSources } from './serve-sources.ts';
import type { TransformCache } from './transform-cache.ts';

interface FileFault {
  readonly path: string;
  readonly line: number;
  readonly problem: Problem;
}

/**
 * Compiles source files to CommonJS, each for itself, nothing bundled; the answers come by path. The compiler itself
 * touches no file, and is not even loaded when the cache knows all sources. One source that does not parse makes
 * esbuild refuse all of them: its faults are noted and the others compiled again, so that nothing hides anything.
 */
export async function compileFiles(
  sources: readonly SourceFile[],
  cache?: TransformCache,
): Promise<ReadonlyMap<string, Compilation>> {
  const compilations = new Map<string, Compilation>();
  const fresh: SourceFile[] = [];
  for (const source of sources) {
    const known = await cache?.find(source);
    if (known === undefined) fresh.push(source);
    else compilations.set(source.path, known);
  }
  if (fresh.length === 0) return compilations;
  const { files, faults } = await compileAll(fresh);
  const faultsOf = Map.groupBy(faults, ({ path }) => path);
  for (const source of fresh) {
    // esbuild works in parallel: its faults come in any order.
    const sorted = (faultsOf.get(source.path) ?? []).toSorted((a, b) => a.line - b.line);
    const problems = sorted.map(({ problem }) => problem);
    const file = files.get(source.path);
    const compilation: Compilation = file === undefined ? { problems } : { file, problems };
    compilations.set(source.path, compilation);
    cache?.add(source, compilation);
  }
  return compilations;
}

interface Compiled {
  readonly files: ReadonlyMap<string, CompiledFile>;
  readonly faults: readonly FileFault[];
}

async function compileAll(sources: readonly SourceFile[]): Promise<Compiled> {
  const { build } = await import('esbuild');
  const broken = new Set<string>();
  const faults: FileFault[] = [];
  for (;;) {
    const remaining = sources.filter(({ path }) => !broken.has(path));
    if (remaining.length === 0) return { files: new Map(), faults };
    const result = await attempt(build, remaining);
    if (result.kind === 'compiled') {
      return { files: new Map(result.files.map((file) => [file.path, file])), faults: [...faults, ...result.warnings] };
    }
    const unplaced = result.errors.filter((error) => error.source === undefined);
    for (const { source, message } of result.errors) {
      if (source === undefined) continue;
      broken.add(source.path);
      faults.push(describeError(source, message));
    }
    if (unplaced.length < result.errors.length) continue;
    // Errors without a place: find out whose they are.
    for (const source of remaining) {
      const alone = await attempt(build, [source]);
      if (alone.kind === 'compiled') continue;
      broken.add(source.path);
      for (const { message } of alone.errors) faults.push(describeError(source, message));
    }
    if (!remaining.some(({ path }) => broken.has(path))) {
      throw new Error(result.errors[0]?.message.text ?? 'esbuild failed');
    }
  }
}

type Attempt =
  | { readonly kind: 'compiled'; readonly files: readonly CompiledFile[]; readonly warnings: readonly FileFault[] }
  | { readonly kind: 'refused'; readonly errors: readonly PlacedMessage[] };

interface PlacedMessage {
  readonly source: SourceFile | undefined;
  readonly message: Message;
}

async function attempt(
  build: (options: BuildOptions) => Promise<BuildResult>,
  sources: readonly SourceFile[],
): Promise<Attempt> {
  const served = serveSources(sources);
  let result: BuildResult;
  try {
    result = await build({
      ...compileOptions,
      // Numbered outputs: files with equal names in different folders never collide.
      entryPoints: sources.map((_, index) => ({ in: String(index), out: String(index) })),
      plugins: [served.plugin],
    });
  } catch (error) {
    const errors = (error as { errors?: readonly Message[] }).errors;
    if (errors === undefined) throw error;
    return { kind: 'refused', errors: errors.map((error) => served.place(error)) };
  }
  const outputs = new Map(Object.entries(result.metafile?.outputs ?? {}));
  const inputs = new Map(Object.entries(result.metafile?.inputs ?? {}));
  const texts = new Map(result.outputFiles?.map((file) => [/[^/\\]*$/.exec(file.path)?.[0], file.text]));
  const files = sources.map((source, index): CompiledFile => {
    const { path } = source;
    const code = texts.get(`${index}.js`) ?? '';
    const imports = outputs.get(`compiled/${index}.js`)?.imports ?? [];
    return {
      path,
      format: formatOf(path, inputs.get(served.nameOf(source))),
      code,
      sourceMap: nameSource(texts.get(`${index}.js.map`) ?? '{}', path),
      ...specifiersOf(imports, code),
    };
  });
  const warnings = result.warnings
    .filter((warning) => warning.id === 'empty-import-meta')
    .flatMap((warning) => {
      const { source, message } = served.place(warning);
      return source === undefined ? [] : [describeWarning(source, message)];
    });
  return { kind: 'compiled', files, warnings };
}

function formatOf(path: string, input: Metafile['inputs'][string] | undefined): 'esm' | 'cjs' {
  if (/\.c[jt]s$/.test(path)) return 'cjs';
  return input?.format ?? 'esm';
}

/** The map names its one source as the graph does, whatever folder the compiler pretended to write to. */
function nameSource(sourceMap: string, path: string): string {
  return JSON.stringify({ ...(JSON.parse(sourceMap) as object), sources: [path] });
}

function specifiersOf(
  imports: readonly { readonly path: string; readonly kind: string }[],
  code: string,
): Pick<CompiledFile, 'specifiers' | 'dynamicOnly'> {
  const counts = new Map<string, number>();
  for (const { path, kind } of imports) {
    if (kind === 'require-call' || kind === 'import-statement' || kind === 'dynamic-import') {
      counts.set(path, (counts.get(path) ?? 0) + 1);
    }
  }
  const dynamicOnly = new Set<string>();
  for (const [specifier, count] of counts) {
    // The list does not tell `import(…)` from the rest, the code does.
    const dynamic = code.split(`.then(() => __toESM(require(${JSON.stringify(specifier)})`).length - 1;
    if (dynamic >= count) dynamicOnly.add(specifier);
  }
  return { specifiers: [...counts.keys()], dynamicOnly };
}

function describeError({ path }: SourceFile, error: Message): FileFault {
  const awaits = error.text.startsWith('Top-level await');
  const place = placeOf(path, error);
  return {
    ...place,
    problem: {
      code: awaits ? 'TOP_LEVEL_AWAIT' : 'SYNTAX_ERROR',
      file: place.file,
      message: awaits
        ? text('registry.top-level-await', { file: place.file })
        : text('registry.syntax-error', { file: place.file, reason: showText(error.text) }),
      ...(awaits ? { hint: text('registry.top-level-await-hint') } : {}),
      ...(error.location === null ? {} : { found: showText(error.location.lineText.trim().slice(0, 80)) }),
      fatal: true,
    },
  };
}

function describeWarning({ path }: SourceFile, warning: Message): FileFault {
  const place = placeOf(path, warning);
  return {
    ...place,
    problem: {
      code: 'IMPORT_META',
      file: place.file,
      message: text('registry.import-meta', { file: place.file }),
      ...(warning.location === null ? {} : { found: showText(warning.location.lineText.trim().slice(0, 80)) }),
      expected: 'import.meta.url | import.meta.dirname | import.meta.filename',
      fatal: false,
    },
  };
}

function placeOf(path: string, message: Message): { path: string; line: number; file: string } {
  return { path, line: message.location?.line ?? 0, file: `${showText(path)}${compilerPlace(message)}` };
}
