import { existsSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { importFrom } from './import-from.ts';

/** Imports packages for many files. */
export interface PackageImporter {
  /** `import()` as `importFrom` gives it for a file (an absolute path). */
  from(file: string): (specifier: string) => Promise<object>;
}

/** Names a package: no path, no address, none of a package's own `imports`. */
const IS_PACKAGE = /^[^./\\#:][^\\:]*$/;

/**
 * Asks Node once for each package and place from which Node finds the same: between a file's folder and the first one
 * above it with a `package.json` or `node_modules`, nothing decides where a package is found. Only what was imported is
 * remembered; what fails is asked again for each file, so that the error names that file.
 *
 * @example
 * const importer = createPackageImporter();
 * const { z } = await importer.from('/srv/bot/tools/weather/index.ts')('zod');
 */
export function createPackageImporter(): PackageImporter {
  const vantages = new Map<string, string>();
  const imported = new Map<string, object>();
  const vantageOf = (folder: string): string => {
    let vantage = vantages.get(folder);
    if (vantage === undefined) {
      vantage = decides(folder) ? folder : vantageOf(dirname(folder));
      vantages.set(folder, vantage);
    }
    return vantage;
  };
  return {
    from(file) {
      let importFresh: ((specifier: string) => Promise<object>) | undefined;
      const load = (specifier: string): Promise<object> => {
        importFresh ??= importFrom(file);
        return importFresh(specifier);
      };
      return async (specifier) => {
        const isNodes = isBuiltin(specifier);
        if (!isNodes && !IS_PACKAGE.test(specifier)) return load(specifier);
        const key = `${isNodes ? '' : vantageOf(dirname(file))}\n${specifier}`;
        const known = imported.get(key);
        if (known !== undefined) return known;
        const namespace = await load(specifier);
        imported.set(key, namespace);
        return namespace;
      };
    },
  };
}

/** May a package be found from here that is not found, or is another one, from the folder above? */
function decides(folder: string): boolean {
  const parent = dirname(folder);
  return (
    parent === folder ||
    basename(folder) === 'node_modules' ||
    basename(parent) === 'node_modules' ||
    existsSync(join(folder, 'package.json')) ||
    existsSync(join(folder, 'node_modules'))
  );
}
