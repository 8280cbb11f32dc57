/**
 * Did an import or require fail because no package of that name is installed? A package that is there and misses one
 * of its own dependencies fails with the same code, but names the other one.
 */
export function isPackageMissing(error: unknown, specifier: string): boolean {
  if (!(error instanceof Error)) return false;
  const code: unknown = (error as NodeJS.ErrnoException).code;
  if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') return false;
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  return error.message.includes(`'${name}'`) || error.message.includes(`'${specifier}'`);
}
