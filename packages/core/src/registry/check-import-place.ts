import type { Problem } from '../contracts/problem.ts';
import { showText } from '../contracts/show-text.ts';
import { showValue } from '../contracts/show-value.ts';
import { text } from '../contracts/texts/text.ts';

/** Kinds of capabilities whose folders are leaves; a skill or an agent may hold the module that its leaves share. */
const LEAF_KINDS: ReadonlySet<string> = new Set(['tools', 'hooks', 'prompt-sections']);

export interface PlacedImport {
  /** Path of the importing file. */
  readonly importer: string;
  readonly specifier: string;
  /** Path of the file that it leads to. */
  readonly target: string;
}

/**
 * Warns of an import between files of one project that ties together what should be independent: one that leaves the
 * plugin folder in which it stands, and one that climbs from the folder of a tool, hook or prompt section into a `src/`
 * above it. All paths are below the root, with `/`; the root's is empty and always counts as a plugin's.
 *
 * @example
 * checkImportPlace({ importer: 'plugins/a/x.ts', specifier: '../../y.ts', target: 'y.ts' }, ['plugins/a'])
 */
export function checkImportPlace(placed: PlacedImport, pluginFolders: readonly string[]): readonly Problem[] {
  const file = showText(placed.importer);
  const specifier = showValue(placed.specifier);
  const base = { file, field: 'import', found: specifier, fatal: false } as const;
  const problems: Problem[] = [];
  const [ownFolder, otherFolder] = [placed.importer, placed.target].map((path) => pluginOf(path, pluginFolders));
  if (ownFolder !== otherFolder) {
    const own = showFolder(ownFolder);
    const values = { file, specifier, own, target: showText(placed.target), other: showFolder(otherFolder) };
    problems.push({
      ...base,
      code: 'IMPORT_LEAVES_PLUGIN',
      expected: `${own}…`,
      message: text('compile.import-leaves-plugin', values),
      hint: text('compile.import-leaves-plugin-hint', { own }),
    });
  }
  const climb = climbOf(placed);
  if (climb !== undefined) {
    const capability = showFolder(climb.capability);
    const values = { file, specifier, capability, src: showFolder(climb.src) };
    problems.push({
      ...base,
      code: 'IMPORT_CLIMBS_INTO_SRC',
      message: text('compile.import-climbs-into-src', values),
      hint: text('compile.import-climbs-into-src-hint', { capability }),
    });
  }
  return problems;
}

/** The deepest of the folders that contains a file; empty = the root. */
function pluginOf(path: string, folders: readonly string[]): string {
  let deepest = '';
  for (const folder of folders) if (folder.length > deepest.length && path.startsWith(`${folder}/`)) deepest = folder;
  return deepest;
}

function climbOf({
  importer,
  target,
}: PlacedImport): { readonly capability: string; readonly src: string } | undefined {
  const from = importer.split('/');
  const to = target.split('/');
  const kind = from.findLastIndex((name, index) => LEAF_KINDS.has(name) && index + 2 < from.length);
  if (kind === -1) return undefined;
  let shared = 0;
  while (shared < to.length - 1 && from[shared] === to[shared]) shared++;
  // It climbs when it meets the target above the capability's folder, and `src` must not be a file.
  if (shared >= kind + 2 || to[shared] !== 'src' || shared === to.length - 1) return undefined;
  return { capability: from.slice(0, kind + 2).join('/'), src: to.slice(0, shared + 1).join('/') };
}

function showFolder(path = ''): string {
  return path === '' ? './' : `${showText(path)}/`;
}
