import { join } from 'node:path';
import type { SourceModule } from '../contracts/module-graph.ts';
import { nearestNames } from '../contracts/nearest-names.ts';
import type { Problem } from '../contracts/problem.ts';
import { providedPackages } from '../contracts/provided-packages.ts';
import { showText } from '../contracts/show-text.ts';
import { showValue } from '../contracts/show-value.ts';
import { text } from '../contracts/texts/text.ts';
import type { PackageFolders } from './package-folders.ts';
import { packageName } from './package-name.ts';
import type { PackageTypes } from './package-types.ts';
import { staticRequires } from './static-requires.ts';

/** Served by this runtime's own copy where it is not installed. */
const SUPPLIED = 'zod';

/**
 * Names the packages that a module imports by statements and that are installed nowhere above it. `require` calls may
 * stand in a `try`, and `import(…)` may never be reached: these are left to the run.
 *
 * @example
 * checkPackages(module, '/srv/bot', folders, types) // [{ code: 'MISSING_PACKAGE', found: '"lodash"', … }]
 */
export function checkPackages(
  module: SourceModule,
  root: string,
  folders: PackageFolders,
  types: PackageTypes,
): readonly Problem[] {
  if (module.format !== 'esm') return [];
  const importer = join(root, module.path);
  const missing = module.packages.flatMap((specifier) => {
    const name = providedPackages.has(specifier) ? undefined : packageName(specifier);
    if (name === undefined || name === SUPPLIED || folders.find(name, importer) !== undefined) return [];
    const { selfName, fault } = types.nearest(importer);
    // With a faulty package.json Node finds nothing at all, which is told already.
    return name === selfName || fault !== undefined ? [] : [{ specifier, name }];
  });
  if (missing.length === 0) return [];
  const required = new Set(staticRequires(module.code).map(({ specifier }) => specifier));
  return missing.filter(({ specifier }) => required.has(specifier)).map((one) => describe(module.path, one));
}

function describe(path: string, missing: { readonly specifier: string; readonly name: string }): Problem {
  const file = showText(path);
  const found = showValue(missing.specifier);
  const name = showText(missing.name);
  const [nearest] = nearestNames(missing.name, [...providedPackages, SUPPLIED], 1);
  return {
    code: 'MISSING_PACKAGE',
    file,
    field: 'import',
    found,
    expected: nearest === undefined ? `node_modules/${name}` : showValue(nearest),
    message: text('compile.missing-package', { file, specifier: found, package: name }),
    hint:
      nearest === undefined
        ? text('compile.missing-package-hint', { file, package: name })
        : text('compile.missing-package-did-you-mean', { name: showValue(nearest), package: name }),
    fatal: true,
  };
}
