import type { Message, Plugin } from 'esbuild';

/** A source file as it was read: what is compiled is this text, whatever happens to the file. */
export interface SourceFile {
  /** Below the root, with `/`. */
  readonly path: string;
  readonly text: string;
  /** Do `.js` and `.ts` mean ES modules here (`"type": "module"` in the nearest package.json)? */
  readonly inModulePackage: boolean;
}

export interface ServedSources {
  /** Answers for the entry points `0`, `1`, … with the sources of these numbers. */
  readonly plugin: Plugin;
  /** The name of a source in what esbuild tells of its inputs. */
  nameOf(source: SourceFile): string;
  /** Whose a message is, and the message as if that source had been compiled as it is. */
  place(message: Message): { readonly source: SourceFile | undefined; readonly message: Message };
}

const NAMESPACE = 'baigong';
/** Sources that are ES modules by their package: to the compiler their names say so. */
const MODULE_NAMESPACE = 'baigong-module';

/**
 * Of several such comments the compiler follows the last one: this one leads nowhere, so that it reads neither a file
 * that an author names nor a map that may be of any size.
 */
const NO_SOURCE_MAP = '\n//# sourceMappingURL=data:application/json,{}';

/**
 * Hands sources to esbuild as texts, under names that it does not look up on disk: it reads no source, no package.json
 * and no source map, and a `*` in a name is just that.
 *
 * @example
 * await build({ entryPoints: ['0'], plugins: [serveSources([source]).plugin] })
 */
export function serveSources(sources: readonly SourceFile[]): ServedSources {
  const addresses = sources.map(addressOf);
  const byName = new Map(sources.map((source) => [nameOf(source), source]));
  return {
    nameOf,
    plugin: {
      name: NAMESPACE,
      setup(build) {
        build.onResolve({ filter: /^/ }, ({ path }) => {
          const address = addresses[Number(path)];
          return address ?? { errors: [{ text: `not a source: ${path}` }] };
        });
        build.onLoad({ filter: /^/ }, ({ namespace, path }) => {
          const source = byName.get(`${namespace}:${path}`);
          if (source === undefined) return { errors: [{ text: `not a source: ${path}` }] };
          return { contents: contentsOf(source), loader: /\.[cm]?ts$/.test(path) ? 'ts' : 'js' };
        });
      },
    },
    place(message) {
      const source = byName.get(message.location?.file ?? '');
      return { source, message: source === undefined ? message : withinSource(source, message) };
    },
  };
}

function addressOf({ path, inModulePackage }: SourceFile): { readonly path: string; readonly namespace: string } {
  return inModulePackage && /\.[jt]s$/.test(path) && !/\.[cm][jt]s$/.test(path)
    ? { path: `${path.slice(0, -2)}m${path.slice(-2)}`, namespace: MODULE_NAMESPACE }
    : { path, namespace: NAMESPACE };
}

function nameOf(source: SourceFile): string {
  const { path, namespace } = addressOf(source);
  return `${namespace}:${path}`;
}

function contentsOf({ text }: SourceFile): string {
  return text.includes('sourceMappingURL=') ? text + NO_SOURCE_MAP : text;
}

/** A fault at the end of the file lies behind the line that was added: it is at the end of the author's last line. */
function withinSource({ text }: SourceFile, message: Message): Message {
  const { location } = message;
  if (location === null || !text.includes('sourceMappingURL=')) return message;
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/);
  if (location.line <= lines.length) return message;
  const lineText = lines.at(-1) ?? '';
  const column = Buffer.byteLength(lineText);
  return { ...message, location: { ...location, line: lines.length, lineText, column } };
}
