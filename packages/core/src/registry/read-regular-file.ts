import { readSourceText } from './read-source-text.ts';

/**
 * The text of a regular file, without a byte order mark. Rejects as `readSourceText` throws.
 *
 * @example
 * await readRegularFile('/srv/bot/package.json', 1024 * 1024)
 */
export async function readRegularFile(path: string, atMost: number): Promise<string> {
  return readSourceText(path, atMost).text;
}
