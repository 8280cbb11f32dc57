/** Names of source files that we compile, in the order in which an import without an extension tries them. */
export const sourceExtensions: readonly string[] = ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs'];
