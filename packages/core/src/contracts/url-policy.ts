/** What decides whether code may reach an address on the network. */
export interface UrlRules {
  /**
   * The only exceptions to the ban on non-public hosts, from the configuration: `host` (every port of it) or
   * `host:port`, compared exactly with the host that stands in the URL; address literals are welcome (`127.0.0.1:8080`,
   * `[::1]`). What an excepted name resolves to is not judged any more.
   */
  readonly allowHosts: readonly string[];
  /**
   * The hosts of the tool's `access.network` label: `host`, `host:port`, or `*.host` for every name below it. Where it
   * is given and not empty, all other hosts are refused. It excepts nothing: a non-public host needs `allowHosts` too.
   */
  readonly allowedByTool?: readonly string[];
  /**
   * Lets names resolve into 198.18.0.0/15, where proxies with invented addresses ("fake IP") place every name.
   * An address of that range written in the URL stays refused. Default `false`.
   */
  readonly allowFakeIp?: boolean;
}

/** Why a URL is refused. */
export type UrlRefusalCode =
  | 'too-long'
  | 'unreadable'
  | 'scheme'
  | 'credentials'
  | 'port'
  | 'not-declared'
  | 'special-name'
  | 'not-public';
