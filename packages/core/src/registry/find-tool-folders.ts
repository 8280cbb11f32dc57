import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { Problem } from '../contracts/problem.ts';
import { text } from '../contracts/texts/text.ts';
import { checkName } from './check-name.ts';
import { compareCodeUnits } from './compare-code-units.ts';
import { showText } from '../contracts/show-text.ts';
import { showValue } from '../contracts/show-value.ts';
import { sourceExtensions } from './source-extensions.ts';

/** A tool's place in a project: its name is its folder's. */
interface ToolFolder {
  readonly name: string;
  /** Entry file below the root, with `/`. */
  readonly entry: string;
}

export interface ToolFolders {
  /** By name, in code unit order. */
  readonly folders: readonly ToolFolder[];
  readonly problems: readonly Problem[];
}

/** Files that authors take for tools, even those that we do not compile. */
const codeExtensions: ReadonlySet<string> = new Set([...sourceExtensions, '.tsx', '.jsx']);
const indexNames: readonly string[] = sourceExtensions.map((extension) => `index${extension}`);

/**
 * Finds the tools of a project: `tools/<name>/index.{ts,mts,cts,js,mjs,cjs}`. Folders whose names begin with a dot and
 * files that hold no code are passed over; everything else that is no tool is a problem. A project without `tools/`
 * has none.
 */
export async function findToolFolders(root: string): Promise<ToolFolders> {
  const rootFault = await folderFault(root, root);
  if (rootFault !== undefined)
    return { folders: [], problems: [rootFault === 'missing' ? rootMissing(root) : rootFault] };
  const tools = join(root, 'tools');
  const toolsFault = await folderFault(tools, 'tools');
  if (toolsFault === 'missing') return { folders: [], problems: [] };
  if (toolsFault !== undefined) return { folders: [], problems: [toolsFault] };

  const folders: ToolFolder[] = [];
  const problems: Problem[] = [];
  let entries: Dirent[];
  try {
    entries = await readdir(tools, { withFileTypes: true });
  } catch (error) {
    return { folders: [], problems: [unreadable('tools', reasonOf(error))] };
  }
  for (const entry of entries.sort((a, b) => compareCodeUnits(a.name, b.name))) {
    if (entry.name.startsWith('.')) continue;
    const path = `tools/${entry.name}`;
    const kind = await kindOf(entry, join(tools, entry.name));
    if (kind === 'folder') {
      const found = await findIndex(root, entry.name);
      if (typeof found === 'string') folders.push({ name: entry.name, entry: found });
      else problems.push(...found);
    } else if (kind === 'broken-link') problems.push(unreadable(path, 'ENOENT'));
    else if (isCode(entry.name)) problems.push(misplaced(entry.name));
  }
  return { folders, problems };
}

async function findIndex(root: string, name: string): Promise<string | readonly Problem[]> {
  const path = `tools/${name}`;
  let names: readonly string[];
  try {
    names = (await readdir(join(root, path))).sort();
  } catch (error) {
    return [...checkName(name, path), unreadable(path, reasonOf(error))];
  }
  const indexes = indexNames.filter((index) => names.includes(index));
  const [index] = indexes;
  if (index !== undefined && indexes.length === 1) return `${path}/${index}`;
  const shown = showText(path);
  if (index !== undefined) {
    return [
      ...checkName(name, path),
      {
        code: 'AMBIGUOUS_INDEX',
        file: shown,
        found: indexes.join(', '),
        expected: `${shown}/${index}`,
        message: text('registry.ambiguous-index', { folder: shown, files: indexes.join(', ') }),
        hint: text('registry.ambiguous-index-hint'),
        fatal: true,
      },
    ];
  }
  const code = names.filter(isCode);
  return [
    ...checkName(name, path),
    {
      code: 'MISSING_INDEX',
      file: shown,
      found: showValue(code.length > 0 ? code : names).slice(1, -1) || '[]',
      expected: `${shown}/index.ts`,
      message: text('registry.missing-index', { folder: shown }),
      hint: text('registry.missing-index-hint', { folder: shown }),
      fatal: true,
    },
  ];
}

/** Why a folder cannot be read, if so. */
async function folderFault(path: string, shown: string): Promise<Problem | 'missing' | undefined> {
  try {
    if ((await stat(path)).isDirectory()) return undefined;
    return unreadable(shown, 'ENOTDIR');
  } catch (error) {
    const reason = reasonOf(error);
    return reason === 'ENOENT' || reason === 'ENOTDIR' ? 'missing' : unreadable(shown, reason);
  }
}

async function kindOf(entry: Dirent, path: string): Promise<'folder' | 'file' | 'broken-link'> {
  if (!entry.isSymbolicLink()) return entry.isDirectory() ? 'folder' : 'file';
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file';
  } catch {
    return 'broken-link';
  }
}

/** Declarations of types are no code: nothing of them runs. */
function isCode(name: string): boolean {
  return codeExtensions.has(extname(name)) && !/\.d\.[mc]?ts$/.test(name);
}

function reasonOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}

function rootMissing(root: string): Problem {
  const folder = showText(root);
  return {
    code: 'ROOT_MISSING',
    file: folder,
    found: 'ENOENT',
    message: text('registry.root-missing', { folder }),
    hint: text('registry.root-missing-hint'),
    fatal: true,
  };
}

function unreadable(path: string, reason: string): Problem {
  const file = showText(path);
  return {
    code: 'UNREADABLE_FILE',
    file,
    found: reason,
    message: text('registry.unreadable-file', { file, reason }),
    fatal: true,
  };
}

function misplaced(name: string): Problem {
  const file = showText(`tools/${name}`);
  const folder = showText(`tools/${basename(name, extname(name))}`);
  return {
    code: 'MISPLACED_FILE',
    file,
    found: file,
    expected: `${folder}/index.ts`,
    message: text('registry.misplaced-file', { file }),
    hint: text('registry.misplaced-file-hint', { folder }),
    fatal: true,
  };
}
