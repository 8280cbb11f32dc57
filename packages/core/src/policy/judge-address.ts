import { isIP } from 'node:net';
import type { IPv4, IPv6 } from 'ipaddr.js';

/**
 * What an IP address belongs to, however it is written: `public` = the public internet, `fake-ip` = 198.18.0.0/15,
 * `not-public` = everything else, and whatever is no address.
 */
export type AddressVerdict = 'public' | 'fake-ip' | 'not-public';

/** Public by their numbers, yet only reachable from inside a cloud: Azure's WireServer. */
const CLOUD_ADDRESSES: ReadonlySet<string> = new Set(['168.63.129.16']);

/**
 * Judges one address literal (IPv6 without brackets). Only what is known to be public is `public`; an address that
 * carries an IPv4 address (mapped, NAT64, 6to4, ISATAP) is judged by that one, and forms that are out of use or local
 * to a network (compatible, Teredo, SIIT, local NAT64, zones) are never public.
 *
 * @example
 * await judgeAddress('::ffff:10.0.0.1') // 'not-public'
 */
export async function judgeAddress(address: string): Promise<AddressVerdict> {
  const version = isIP(address);
  if (version === 0 || address.includes('%')) return 'not-public';
  const { default: ipaddr } = await import('ipaddr.js');
  if (version === 4) return judgeIPv4(ipaddr.IPv4.parse(address));
  const parsed = ipaddr.IPv6.parse(address);
  const inner = embeddedIPv4(parsed);
  if (inner.length === 0) return judgeIPv6(parsed);
  for (const octets of inner) {
    const verdict = judgeIPv4(new ipaddr.IPv4(octets));
    if (verdict !== 'public') return 'not-public';
  }
  return 'public';
}

function judgeIPv4(address: IPv4): AddressVerdict {
  const [first = 0, second = 0] = address.octets;
  if (first === 198 && (second & 0xfe) === 18) return 'fake-ip';
  return address.range() === 'unicast' && !CLOUD_ADDRESSES.has(address.toString()) ? 'public' : 'not-public';
}

function judgeIPv6(address: IPv6): AddressVerdict {
  // Beyond 2000::/3 nothing is handed out, whatever a list of special ranges does not know yet.
  const isGlobal = ((address.parts[0] ?? 0) & 0xe000) === 0x2000;
  return isGlobal && address.range() === 'unicast' ? 'public' : 'not-public';
}

/** Every IPv4 address that packets to this one may end at; empty = none. */
function embeddedIPv4(address: IPv6): readonly number[][] {
  const [first = 0, second = 0, third = 0, , fifth = 0, sixth = 0, seventh = 0, eighth = 0] = address.parts;
  const found: number[][] = [];
  const range: string = address.range();
  const isNat64 = range === 'rfc6052' && third === 0;
  if (range === 'ipv4Mapped' || isNat64) found.push(octetsOf(seventh, eighth));
  if (first === 0x2002) found.push(octetsOf(second, third));
  const isIsatap = sixth === 0x5efe && (fifth & 0xfdff) === 0;
  // A host number of ISATAP behind a prefix that is not public itself does not make it public.
  if (isIsatap && (found.length > 0 || judgeIPv6(address) === 'public')) found.push(octetsOf(seventh, eighth));
  return found;
}

function octetsOf(high: number, low: number): number[] {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff];
}
