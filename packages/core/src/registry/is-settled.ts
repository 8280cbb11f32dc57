import type { BigIntStats } from 'node:fs';

/** File systems keep times in steps of 2 s at most. */
const COARSEST_TICK_MS = 2000;

/**
 * Was a file at rest when it was read, so that a later save is sure to change its stamp? One that was saved a moment
 * ago may be saved again within the same tick of the clock: its stamp is no proof, its text must be compared.
 * `now` is in milliseconds since 1970.
 *
 * @example
 * isSettled(fstatSync(file, { bigint: true }), Date.now())
 */
export function isSettled({ mtimeMs, ctimeMs }: BigIntStats, now: number): boolean {
  const last = mtimeMs > ctimeMs ? mtimeMs : ctimeMs;
  return now - Number(last) > COARSEST_TICK_MS;
}
