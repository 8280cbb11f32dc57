import { isBuiltin } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import type { Problem } from '../contracts/problem.ts';
import { text } from '../contracts/texts/text.ts';
import { readRegularFile } from './read-regular-file.ts';
import { showText } from '../contracts/show-text.ts';

/** What the package.json nearest to a file says, if it can be read. */
interface NearestPackage {
  readonly isModule: boolean;
  /** Absolute path and reason of a package.json that cannot be read. */
  readonly fault?: { readonly path: string; readonly reason: string };
}

export interface PackageTypes {
  /** Of a file, by its absolute path. */
  nearest(file: string): Promise<NearestPackage>;
}

/** Bytes of one package.json. */
const LARGEST = 1024 * 1024;
const NO_PACKAGE: NearestPackage = { isModule: false };

/** Names that this runtime itself answers for, without asking Node. */
const PROVIDED: ReadonlySet<string> = new Set(['baigong', '@zhin.js/tool']);

/** Finds for each folder what the nearest package.json above it says. Every file is read once per load. */
export function createPackageTypes(): PackageTypes {
  const byFolder = new Map<string, Promise<NearestPackage>>();
  const ofFolder = (folder: string): Promise<NearestPackage> => {
    let answer = byFolder.get(folder);
    if (answer === undefined) {
      answer = look(folder);
      byFolder.set(folder, answer);
    }
    return answer;
  };
  const look = async (folder: string): Promise<NearestPackage> => {
    const own = await readPackage(join(folder, 'package.json'));
    if (own !== undefined) return own;
    const parent = dirname(folder);
    return parent === folder ? NO_PACKAGE : ofFolder(parent);
  };
  return { nearest: (file) => ofFolder(dirname(file)) };
}

/** Does Node read the package.json above an importer before it finds this package? */
export function asksPackage(specifier: string): boolean {
  return !isBuiltin(specifier) && !PROVIDED.has(specifier);
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

async function readPackage(path: string): Promise<NearestPackage | undefined> {
  try {
    const content: unknown = JSON.parse(await readRegularFile(path, LARGEST));
    const isObject = content !== null && typeof content === 'object' && Object.hasOwn(content, 'type');
    return { isModule: isObject && (content as { type: unknown }).type === 'module' };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    return { isModule: false, fault: { path, reason: code ?? (error as Error).message } };
  }
}
