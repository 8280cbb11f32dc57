/**
 * Packages that this runtime itself is: importing one gives the running copy, whatever is installed beside the plugin.
 *
 * @example
 * providedPackages.has('@zhin.js/tool') // true
 */
export const providedPackages: ReadonlySet<string> = new Set([
  'baigong',
  '@zhin.js/hook',
  '@zhin.js/prompt-section',
  '@zhin.js/tool',
  'zhin.js',
]);
