/** Top domains that mean this machine or the network at hand. */
const PRIVATE_DOMAINS: ReadonlySet<string> = new Set([
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
]);

/**
 * Is this host name (lower case, no final dot) one that never means a place on the public internet, whatever a
 * resolver answers: a single label, a name of a private domain, a metadata service, or a name with an empty label?
 *
 * @example
 * isSpecialName('db.internal') // true
 */
export function isSpecialName(host: string): boolean {
  const labels = host.split('.');
  const last = labels.at(-1) ?? '';
  if (labels.length === 1 || labels.includes('') || PRIVATE_DOMAINS.has(last)) return true;
  return host.endsWith('.home.arpa') || labels[0] === 'metadata' || labels[0] === 'instance-data';
}
