/**
 * The host of a URL without the final dot that means the same name.
 *
 * @example
 * hostOf(new URL('http://LOCALHOST./')) // 'localhost'
 */
export function hostOf(url: URL): string {
  return url.hostname.endsWith('.') ? url.hostname.slice(0, -1) : url.hostname;
}
