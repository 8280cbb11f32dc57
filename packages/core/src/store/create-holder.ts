import { randomBytes } from 'node:crypto';
import { runningProcess } from './running-process.ts';

/**
 * Names this process among those that use a store: `<pid>:<start time>:<random>`.
 * The start time tells a later process with the same id apart (0 where the system does not tell it), the random part
 * two stores of one process.
 */
export function createHolder(): string {
  return `${process.pid}:${runningProcess(process.pid)?.start ?? '0'}:${randomBytes(6).toString('hex')}`;
}
