import { randomBytes } from 'node:crypto';

/**
 * A new unique name: the prefix, the time (so that ids sort by age) and 50 random bits.
 *
 * @example
 * createId('turn', Date.now()) // 'turn_mf3k2p9q1x7…'
 */
export function createId(prefix: string, now: number): string {
  const random = randomBytes(8).readBigUInt64BE() & ((1n << 50n) - 1n);
  return `${prefix}_${now.toString(36).padStart(9, '0')}${random.toString(36).padStart(10, '0')}`;
}
