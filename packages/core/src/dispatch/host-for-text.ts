import { showText } from '../contracts/show-text.ts';

const LONGEST = 200;

/**
 * What a message calls the place that a URL names: its host and port, never its path and query, which may hold secrets.
 *
 * @example
 * hostForText('https://api.example:8443/v1?key=secret') // 'api.example:8443'
 */
export function hostForText(url: string): string {
  const host = URL.canParse(url) ? new URL(url).host : '';
  return host === '' ? '?' : showText(host).slice(0, LONGEST);
}
