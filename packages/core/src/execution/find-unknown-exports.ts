import type { SourceModule } from '../contracts/module-graph.ts';
import { nearestNames } from '../contracts/nearest-names.ts';
import type { UnknownExport } from './unknown-export-error.ts';

// Taken before any code of authors runs, which may replace it.
const { stringify } = JSON;

/**
 * Names that an ES module imports from a package by `import { name }`, as far as the compiled code shows them, and that
 * the package's namespace does not have. The compiler reads such names as members of a variable of its own,
 * `import_<package>`; members of what the author named (`import * as all`) may be missing. Imports of types are none.
 *
 * @example
 * findUnknownExports(module, 'zod', await import('zod')) // [{ name: 'objekt', nearest: 'object', … }]
 */
export function findUnknownExports(
  { code }: SourceModule,
  specifier: string,
  namespace: object,
): readonly UnknownExport[] {
  const variables = [...code.matchAll(/^var (import_[\w$]+) = (?:__toESM\()?require\((".*?")\)/gm)].flatMap(
    ([, variable, quoted = '']) => (variable !== undefined && quoted === stringify(specifier) ? [variable] : []),
  );
  const found = new Map<string, UnknownExport>();
  for (const variable of variables) {
    for (const match of code.matchAll(memberOf(variable))) {
      const [, name] = match;
      if (name === undefined || name in namespace || found.has(name)) continue;
      const before = code.slice(0, match.index).split('\n');
      found.set(name, {
        specifier,
        name,
        nearest: nearestNames(name, Object.keys(namespace), 1)[0],
        line: before.length,
        column: (before.at(-1) ?? '').length + 1,
      });
    }
  }
  return [...found.values()];
}

function memberOf(variable: string): RegExp {
  return new RegExp(
    `(?<![\\p{ID_Continue}$.'"\`])${variable.replaceAll('$', '\\$')}\\.([\\p{ID_Start}$_][\\p{ID_Continue}$]*)`,
    'gu',
  );
}
