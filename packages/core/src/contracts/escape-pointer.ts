/**
 * One name as a part of a JSON pointer (RFC 6901).
 *
 * @example
 * escapePointer('a/b') // 'a~1b'
 */
export function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
