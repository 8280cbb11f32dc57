/** What projects may import without installing it: the copy that this package depends on serves them. */
export function isSuppliedPackage(specifier: string): boolean {
  return specifier === 'zod' || specifier.startsWith('zod/');
}
