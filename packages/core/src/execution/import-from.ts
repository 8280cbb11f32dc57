import { compileFunction, constants } from 'node:vm';
import { isPackageMissing } from './is-package-missing.ts';
import { isSuppliedPackage } from './is-supplied-package.ts';

type Import = (specifier: string, options?: ImportCallOptions) => Promise<object>;

/**
 * Node's own `import()`, as if it stood in `file` (an absolute path): its conditions, its caches, top-level await.
 * JSON files of packages need no attribute. Zod need not be installed.
 *
 * @example
 * const { z } = await importFrom('/srv/bot/tools/weather/index.ts')('zod');
 */
export function importFrom(file: string): (specifier: string) => Promise<object> {
  let anchored: Import | undefined;
  return async (specifier) => {
    anchored ??= anchor(file);
    try {
      return await anchored(specifier);
    } catch (error) {
      if (isSuppliedPackage(specifier) && isPackageMissing(error, specifier)) {
        return anchor(import.meta.filename)(specifier);
      }
      // Compiling to CommonJS loses the attribute that the author wrote.
      if ((error as NodeJS.ErrnoException | null)?.code === 'ERR_IMPORT_ATTRIBUTE_MISSING') {
        return anchored(specifier, { with: { type: 'json' } });
      }
      throw error;
    }
  };
}

function anchor(file: string): Import {
  return compileFunction('return import(specifier, options)', ['specifier', 'options'], {
    filename: file,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  }) as Import;
}
