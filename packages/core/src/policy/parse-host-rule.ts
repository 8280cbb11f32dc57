import { isIPv6 } from 'node:net';
import { hostOf } from './host-of.ts';

/** One entry of a list of hosts. */
export interface HostRule {
  /** As it stands in a URL, without a final dot. */
  readonly host: string;
  /** Absent = every port. */
  readonly port?: number;
  /** `*.host`: the names below it, not itself. */
  readonly below: boolean;
}

const ENTRY = /^(?<below>\*\.)?(?<host>[^\s/\\?#@*:[\]]+|\[[0-9a-fA-F:.]+\])(?::(?<port>\d{1,5}))?$/;

/**
 * Reads `host`, `host:port` or `*.host`; upper case, IDN and address spellings are brought to the form they have in a
 * URL. `undefined` = it names no host and matches nothing.
 *
 * @example
 * parseHostRule('[::1]:8080') // { host: '[::1]', port: 8080, below: false }
 */
export function parseHostRule(entry: string): HostRule | undefined {
  const groups = ENTRY.exec(isIPv6(entry) ? `[${entry}]` : entry)?.groups;
  if (groups === undefined) return undefined;
  const address = `http://${groups.host}/`;
  if (!URL.canParse(address)) return undefined;
  const host = hostOf(new URL(address));
  const port = groups.port === undefined ? undefined : Number(groups.port);
  if (port !== undefined && (port < 1 || port > 65_535)) return undefined;
  return { host, below: groups.below !== undefined, ...(port === undefined ? {} : { port }) };
}
