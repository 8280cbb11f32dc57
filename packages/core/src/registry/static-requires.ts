/** A package or file that compiled code needs as soon as it is evaluated, and the variable that holds it, if any. */
export interface StaticRequire {
  readonly variable?: string;
  readonly specifier: string;
}

/**
 * What the `import` and `export … from` statements of an ES module became. The compiler writes them to the beginning of
 * lines, unlike `import(…)` expressions and most `require` calls of authors. Specifiers with unusual escapes are left
 * out.
 *
 * @example
 * staticRequires('var import_zod = require("zod");') // [{ variable: 'import_zod', specifier: 'zod' }]
 */
export function staticRequires(code: string): readonly StaticRequire[] {
  const found: StaticRequire[] = [];
  for (const match of code.matchAll(STATEMENT)) {
    const [, variable, quoted = ''] = match;
    const specifier = unquote(quoted);
    if (specifier !== undefined) found.push(variable === undefined ? { specifier } : { variable, specifier });
  }
  return found;
}

const STATEMENT = /^(?:var (\S+) = (?:__toESM\()?|__reExport\(\S+, )require\(("(?:[^"\\\n]|\\.)*")\)/gm;

function unquote(quoted: string): string | undefined {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return undefined;
  }
}
