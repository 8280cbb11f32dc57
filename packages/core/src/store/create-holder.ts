import { randomBytes } from 'node:crypto';
import { currentPlace } from './holder-place.ts';
import { runningProcess } from './running-process.ts';

/**
 * Names this process among those that use a store: `<pid>:<start time>:<random>:<place>`.
 * The start time tells a later process with the same id apart (0 where the system does not tell it), the random part
 * two stores of one process, the place tells where its id can be looked up.
 */
export function createHolder(): string {
  const place = currentPlace();
  const name = `${process.pid}:${runningProcess(process.pid)?.start ?? '0'}:${randomBytes(6).toString('hex')}`;
  return place === '' ? name : `${name}:${place}`;
}
