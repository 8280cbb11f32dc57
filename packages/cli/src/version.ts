import { readFileSync } from 'node:fs';

/** The version in this package's `package.json`. */
export function version(): string {
  const file = new URL('../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
}
