import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { APPLICATION_ID } from './migrations.ts';

// Places in the database header and in the write-ahead log: https://www.sqlite.org/fileformat2.html
const HEADER_BYTES = 100;
const READ_VERSION_AT = 19;
const READ_VERSION_WAL = 2;
const USER_VERSION_AT = 60;
const APPLICATION_ID_AT = 68;
const WAL_HEADER_BYTES = 32;
const WAL_PAGE_SIZE_AT = 8;
const WAL_SALTS_AT = 16;
const FRAME_HEADER_BYTES = 24;
const FRAME_COMMIT_AT = 4;
const FRAME_SALTS_AT = 8;
const SALTS_BYTES = 8;

/**
 * The version of a store file, read from its bytes and those of its write-ahead log: 0 when it is no store of ours or
 * cannot be read that way. SQLite itself cannot answer this without a trace: it rebuilds the log's index when it opens
 * a file, and empties and removes the log when it closes it.
 *
 * It may answer too low while another process writes, never too high; SQLite has the last word on what is let through.
 */
export function peekVersion(file: string): number {
  const header = readAt(file, (read) => read(0, HEADER_BYTES));
  if (header === undefined || header.readUInt32BE(APPLICATION_ID_AT) !== APPLICATION_ID) return 0;
  const version = header.readUInt32BE(USER_VERSION_AT);
  if (header[READ_VERSION_AT] !== READ_VERSION_WAL) return version;
  return Math.max(version, readAt(`${file}-wal`, committedVersion) ?? 0);
}

type Read = (position: number, length: number) => Buffer | undefined;

/** The version in the last copy of page 1 that a commit in the log covers. */
function committedVersion(read: Read): number {
  const header = read(0, WAL_HEADER_BYTES);
  if (header === undefined) return 0;
  const salts = header.subarray(WAL_SALTS_AT, WAL_SALTS_AT + SALTS_BYTES);
  const frameBytes = FRAME_HEADER_BYTES + header.readUInt32BE(WAL_PAGE_SIZE_AT);
  let written = 0;
  let committed = 0;
  for (let at = WAL_HEADER_BYTES; ; at += frameBytes) {
    const frame = read(at, FRAME_HEADER_BYTES);
    // Other salts: left from an earlier round of the log.
    if (frame === undefined || !frame.subarray(FRAME_SALTS_AT, FRAME_SALTS_AT + SALTS_BYTES).equals(salts)) break;
    const isWhole = read(at + frameBytes - 1, 1) !== undefined;
    if (!isWhole) break;
    if (frame.readUInt32BE(0) === 1) {
      written = read(at + FRAME_HEADER_BYTES, HEADER_BYTES)?.readUInt32BE(USER_VERSION_AT) ?? written;
    }
    if (frame.readUInt32BE(FRAME_COMMIT_AT) !== 0) committed = written;
  }
  return committed;
}

function readAt<T>(file: string, use: (read: Read) => T): T | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch {
    return undefined;
  }
  try {
    if (!fstatSync(descriptor).isFile()) return undefined;
    return use((position, length) => {
      const bytes = Buffer.alloc(length);
      return readSync(descriptor, bytes, 0, length, position) === length ? bytes : undefined;
    });
  } finally {
    closeSync(descriptor);
  }
}
