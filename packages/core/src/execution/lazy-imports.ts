import type { SourceModule } from '../contracts/module-graph.ts';

/**
 * The specifiers of a module that occur in `import(…)` expressions only. esbuild turns both kinds of import into
 * `require` calls; what an expression becomes is wrapped in a way that nothing else is. In doubt an import is static:
 * then it is merely loaded sooner.
 */
export function lazyImports(module: SourceModule): ReadonlySet<string> {
  const lazy = new Set<string>();
  if (module.format === 'json' || !module.code.includes('.then(() => __toESM(require(')) return lazy;
  for (const specifier of Object.keys(module.imports)) {
    const required = `require(${JSON.stringify(specifier)})`;
    const all = module.code.split(required).length;
    const wrapped = module.code.split(`.then(() => __toESM(${required}`).length;
    if (wrapped > 1 && wrapped === all) lazy.add(specifier);
  }
  return lazy;
}
