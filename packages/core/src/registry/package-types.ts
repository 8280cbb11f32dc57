import { statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import type { Problem } from '../contracts/problem.ts';
import { providedPackages } from '../contracts/provided-packages.ts';
import { showText } from '../contracts/show-text.ts';
import { text } from '../contracts/texts/text.ts';
import { readSourceText } from './read-source-text.ts';

/** What the package.json nearest to a file says, if it can be read. */
export interface NearestPackage {
  readonly isModule: boolean;
  /** By this name the files below may import their own package. */
  readonly selfName?: string;
  /** Absolute path and reason of a package.json that cannot be read. */
  readonly fault?: { readonly path: string; readonly reason: string };
}

export interface PackageTypes {
  /** Of a file, by its absolute path. */
  nearest(file: string): NearestPackage;
}

/** Bytes of one package.json. */
const LARGEST = 1024 * 1024;
const NO_PACKAGE: NearestPackage = { isModule: false };

/**
 * Finds for each folder what the nearest package.json above it says. Every file is read once per load; `note` hears of
 * every path that was looked at.
 */
export function createPackageTypes(note: (path: string) => void): PackageTypes {
  const byFolder = new Map<string, NearestPackage>();
  const ofFolder = (folder: string): NearestPackage => {
    let answer = byFolder.get(folder);
    if (answer === undefined) {
      const path = join(folder, 'package.json');
      note(path);
      const parent = dirname(folder);
      answer = readPackage(path) ?? (parent === folder ? NO_PACKAGE : ofFolder(parent));
      byFolder.set(folder, answer);
    }
    return answer;
  };
  return { nearest: (file) => ofFolder(dirname(file)) };
}

/** Does Node read the package.json above an importer before it finds this package? */
export function asksPackage(specifier: string): boolean {
  return !isBuiltin(specifier) && !providedPackages.has(specifier);
}

/** One problem per faulty package.json; fatal where it keeps code from finding its packages. */
export function packageProblem(root: string, path: string, reason: string, fatal: boolean): Problem {
  const file = showText(relative(root, path).replaceAll(sep, '/'));
  return {
    code: 'INVALID_PACKAGE',
    file,
    found: showText(reason),
    expected: 'package.json: { … }',
    message: text('registry.invalid-package', { file, reason: showText(reason) }),
    hint: text('registry.invalid-package-hint'),
    fatal,
  };
}

function readPackage(path: string): NearestPackage | undefined {
  try {
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
    const content: unknown = JSON.parse(readSourceText(path, LARGEST).text);
    if (content === null || typeof content !== 'object') return NO_PACKAGE;
    const own = new Map(Object.entries(content));
    const name: unknown = own.get('name');
    // Node lets a package import itself only where it says what it exports.
    const names = typeof name === 'string' && (own.get('exports') ?? null) !== null;
    return { isModule: own.get('type') === 'module', ...(names ? { selfName: name } : {}) };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    return { isModule: false, fault: { path, reason: code ?? (error as Error).message } };
  }
}
