import { readFileSync, readlinkSync } from 'node:fs';
import { digest } from '../contracts/digest.ts';

/** `<pid>:<start>:<random>:<place>`, the last part only where it is known. */
const HOLDER = /^[1-9]\d{0,9}:\d+:[^:]*(?::([0-9a-f]+))?$/;

/**
 * Names where process ids mean what they mean here: this boot of this machine, and this namespace of process ids (a
 * container has its own). Empty where the system does not tell.
 */
export function currentPlace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    return digest(`${boot} ${readlinkSync('/proc/self/ns/pid')}`).slice('sha256:'.length, 'sha256:'.length + 12);
  } catch {
    return '';
  }
}

/** Where the process ran that a holder names; undefined where that cannot be told from it. */
export function placeOf(holder: string): string | undefined {
  const match = HOLDER.exec(holder);
  return match === null ? undefined : (match[1] ?? '');
}
