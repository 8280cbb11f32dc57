import { parseHostRule } from './parse-host-rule.ts';

export interface HostListing {
  /** Do entries `*.host` count? */
  readonly wildcards: boolean;
}

/**
 * Does a list of hosts name this one? Entries that cannot be read match nothing.
 *
 * @example
 * isHostListed('127.0.0.1', 8080, ['127.0.0.1:8080'], { wildcards: false }) // true
 */
export function isHostListed(
  host: string,
  port: number,
  entries: readonly string[],
  { wildcards }: HostListing,
): boolean {
  return entries.some((entry) => {
    const rule = parseHostRule(entry);
    if (rule === undefined || (rule.port !== undefined && rule.port !== port)) return false;
    return rule.below ? wildcards && host.endsWith(`.${rule.host}`) : host === rule.host;
  });
}
