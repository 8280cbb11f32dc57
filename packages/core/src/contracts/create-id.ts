import { randomUUID } from 'node:crypto';

/**
 * A new unique name: the prefix, the time (so that ids sort by age) and 64 random bits.
 *
 * @example
 * createId('turn', Date.now()) // 'turn_mf3k2p9q1x7…'
 */
export function createId(prefix: string, now: number): string {
  // Node keeps a stock of random bytes for UUIDs; the parts that are left out are not wholly random.
  const uuid = randomUUID();
  return `${prefix}_${now.toString(36).padStart(9, '0')}${uuid.slice(0, 8)}${uuid.slice(28)}`;
}
