import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';

/** What every program may need to work at all, and nothing that could be a secret of ours. */
const INHERITED = [
  'PATH',
  'HOME',
  'LANG',
  'TZ',
  'TMPDIR',
  'NODE_EXTRA_CA_CERTS',
  'NODE_USE_ENV_PROXY',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
];

/**
 * The environment of a tool process: locale, paths and proxies of the host, and what the project hands on to its
 * tools. Keys and tokens that merely lie in the host's environment stay there.
 */
export function childEnvironment(
  host: NodeJS.ProcessEnv,
  handedOn: Readonly<Record<string, string>>,
): Record<string, string> {
  const names = [...INHERITED, ...Object.keys(host).filter((name) => name.startsWith('LC_'))];
  const inherited = names.flatMap((name) => {
    const value = host[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const cache = getCompileCacheDir();
  return {
    ...Object.fromEntries(inherited),
    // Where the host keeps compiled code on disk, children find theirs there too and start in a third of the time.
    ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) }),
    ...handedOn,
    // Tells what runs here from a person at a terminal, who may answer approvals.
    BAIGONG_CALL: '1',
  };
}
