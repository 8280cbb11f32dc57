import { isBuiltin } from 'node:module';

/** The form of names that Node looks for in node_modules; the rest it refuses or reads as something else. */
const NAME = /^(?:@[^/\\%]+\/)?[^./\\%@#][^/\\%]*(?=\/|$)/;

/**
 * The package that a specifier asks for: without its subpath. Undefined for what is none: modules of Node, `#imports`
 * of a package.json, addresses, and names that Node refuses.
 *
 * @example
 * packageName('@scope/name/sub/path.js') // '@scope/name'
 */
export function packageName(specifier: string): string | undefined {
  if (isBuiltin(specifier) || /^[a-z][a-z0-9+.-]*:/i.test(specifier)) return undefined;
  return NAME.exec(specifier)?.[0];
}
