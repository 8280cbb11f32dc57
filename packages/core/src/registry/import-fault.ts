import type { Problem } from '../contracts/problem.ts';
import { showText } from '../contracts/show-text.ts';
import { showValue } from '../contracts/show-value.ts';
import { text } from '../contracts/texts/text.ts';
import type { ResolvedImport } from './resolve-import.ts';

const IMPORTABLE = '.ts | .mts | .cts | .js | .mjs | .cjs | .json';

/** What is wrong with an import of `path` that leads to no source file of the project. */
export function importFault(
  path: string,
  specifier: string,
  resolved: Exclude<ResolvedImport, { kind: 'own' | 'package' }>,
): Problem {
  const file = showText(path);
  const found = showValue(specifier);
  const base = { file, field: 'import', found, fatal: true } as const;
  switch (resolved.kind) {
    case 'unresolved':
      return {
        ...base,
        code: 'UNRESOLVED_IMPORT',
        expected: resolved.nearest === undefined ? IMPORTABLE : showValue(resolved.nearest),
        message: text('registry.unresolved-import', { file, specifier: found }),
        hint:
          resolved.nearest === undefined
            ? text('registry.unresolved-import-hint')
            : text('registry.did-you-mean', { name: showValue(resolved.nearest) }),
      };
    case 'leaves-root':
      return {
        ...base,
        code: 'IMPORT_LEAVES_ROOT',
        message: text('registry.import-leaves-root', { file, specifier: found }),
        hint: text('registry.import-leaves-root-hint'),
      };
    case 'unsupported':
      return {
        ...base,
        code: 'UNSUPPORTED_IMPORT',
        expected: IMPORTABLE,
        message: text('registry.unsupported-import', { file, specifier: found }),
        hint: text('registry.unsupported-import-hint'),
      };
    case 'unreadable':
      return {
        ...base,
        code: 'UNREADABLE_FILE',
        message: text('registry.unreadable-import', { file, specifier: found, reason: resolved.reason }),
        hint: text('registry.unreadable-file-hint'),
      };
  }
}
