import { basename, dirname, extname, isAbsolute, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { nearestNames } from '../contracts/nearest-names.ts';
import type { FoundFile, ProjectFiles } from './project-files.ts';
import { sourceExtensions } from './source-extensions.ts';

/** Where an import leads. */
export type ResolvedImport =
  | { readonly kind: 'package' }
  | { readonly kind: 'own'; readonly file: Extract<FoundFile, { kind: 'file' }> }
  /** Nothing is there; `nearest` is how the most similar existing file would be imported. */
  | { readonly kind: 'unresolved'; readonly nearest?: string }
  | { readonly kind: 'leaves-root' }
  /** Something is there that cannot be imported. */
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** TypeScript lets authors name the file that a compiler would write. */
const WRITTEN_AS: ReadonlyMap<string, string> = new Map([
  ['.js', '.ts'],
  ['.mjs', '.mts'],
  ['.cjs', '.cts'],
]);

const importable: ReadonlySet<string> = new Set([...sourceExtensions, '.json']);

/**
 * Finds the file that an import of a project file means: the exact file, else the TypeScript file behind a JavaScript
 * name, else the name with an extension, else the folder's index. Everything that is neither relative, absolute nor a
 * `file:` address is a package.
 *
 * @example
 * resolveImport('./client.js', 'tools/weather/index.ts', files) // own: tools/weather/client.ts
 */
export function resolveImport(specifier: string, importer: string, files: ProjectFiles): ResolvedImport {
  const targets = targetsOf(specifier, join(files.root, importer));
  if (targets === undefined) return { kind: 'package' };
  for (const target of targets) {
    if (files.below(target) === undefined) return { kind: 'leaves-root' };
    const hit = findTarget(target, /[/\\]$|(^|[/\\])\.{1,2}$/.test(specifier), files);
    if (hit !== undefined) return hit;
  }
  const [target] = targets;
  const nearest = target === undefined ? undefined : nearestImport(specifier, target, files);
  return nearest === undefined ? { kind: 'unresolved' } : { kind: 'unresolved', nearest };
}

/** The absolute paths that a specifier may mean, the likeliest first; undefined = it names a package. */
function targetsOf(specifier: string, importer: string): readonly string[] | undefined {
  if (specifier.startsWith('file:')) return pathOfUrl(specifier);
  const isRelative = /^\.{1,2}($|[/\\])/.test(specifier);
  if (!isRelative && !isAbsolute(specifier)) return undefined;
  const plain = isRelative ? join(dirname(importer), specifier) : specifier;
  // Node reads imports of ES modules as addresses: %20 is a blank and ?v=2 no part of the name.
  return /[%?#]/.test(specifier) ? [plain, ...pathOfUrl(specifier, importer)] : [plain];
}

function pathOfUrl(specifier: string, importer?: string): readonly string[] {
  try {
    const url = importer === undefined ? new URL(specifier) : new URL(specifier, pathToFileURL(importer));
    url.search = '';
    url.hash = '';
    return [fileURLToPath(url)];
  } catch {
    return [];
  }
}

function findTarget(target: string, folderOnly: boolean, files: ProjectFiles): ResolvedImport | undefined {
  const extension = extname(target);
  const candidates: string[] = [];
  if (!folderOnly) {
    candidates.push(target);
    const written = WRITTEN_AS.get(extension);
    if (written !== undefined) candidates.push(target.slice(0, -extension.length) + written);
    for (const added of importable) candidates.push(target + added);
  }
  for (const added of importable) candidates.push(join(target, `index${added}`));
  let unsupported = false;
  for (const candidate of candidates) {
    const found = files.find(candidate);
    switch (found.kind) {
      case 'file':
        if (importable.has(extname(found.path))) return { kind: 'own', file: found };
        unsupported = true;
        break;
      case 'outside':
        return { kind: 'leaves-root' };
      case 'unreadable':
        return { kind: 'unreadable', reason: found.reason };
      case 'other':
        unsupported = true;
        break;
    }
  }
  return unsupported ? { kind: 'unsupported' } : undefined;
}

/** How the file beside the target with the most similar name is imported. */
function nearestImport(specifier: string, target: string, files: ProjectFiles): string | undefined {
  const folder = files.below(dirname(target));
  if (folder === undefined) return undefined;
  const names = files.names(folder);
  const byWritten = new Map<string, string>();
  for (const name of names) {
    const extension = extname(name);
    if (importable.has(extension)) byWritten.set(basename(name, extension), name);
    else if (extension === '') byWritten.set(name, name);
  }
  const wanted = basename(target);
  const bare = importable.has(extname(wanted)) ? basename(wanted, extname(wanted)) : wanted;
  const [nearest] = nearestNames(bare, [...byWritten.keys()], 1);
  if (nearest === undefined) return undefined;
  const name = byWritten.get(nearest);
  const slash = specifier.replace(/\/+$/, '').lastIndexOf('/');
  return slash === -1 ? `./${name}` : specifier.slice(0, slash + 1) + name;
}
