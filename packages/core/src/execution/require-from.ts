import { createRequire } from 'node:module';
import { isPackageMissing } from './is-package-missing.ts';
import { isSuppliedPackage } from './is-supplied-package.ts';

/**
 * Node's own `require`, as if it stood in `file` (an absolute path). Zod need not be installed.
 *
 * @example
 * requireFrom('/srv/bot/legacy.cjs')('node:fs')
 */
export function requireFrom(file: string): NodeJS.Require {
  const anchored = createRequire(file);
  const require = (specifier: string): unknown => {
    try {
      return anchored(specifier);
    } catch (error) {
      if (!isSuppliedPackage(specifier) || !isPackageMissing(error, specifier)) throw error;
      return createRequire(import.meta.filename)(specifier);
    }
  };
  const { resolve, cache, extensions, main } = anchored;
  return Object.assign(require, { resolve, cache, extensions, main });
}
