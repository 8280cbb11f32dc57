import type { BigIntStats } from 'node:fs';

/** What the system says of a file without reading it, as one text: device, inode, size, and both times in ns. */
export type FileStamp = string;

/**
 * Equal stamps mean equal contents, but for a file that was saved again within one tick of the file system's clock:
 * see `isSettled`.
 *
 * @example
 * fileStamp(statSync('/srv/bot/plugin.ts', { bigint: true })) === earlier
 */
export function fileStamp({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): FileStamp {
  return `${dev}.${ino}.${size}.${mtimeNs}.${ctimeNs}`;
}
