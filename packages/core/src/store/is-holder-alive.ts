import { runningProcess } from './running-process.ts';

/**
 * Does the process that a holder names still run on this machine?
 * On Linux a later process with the same id does not count; elsewhere it cannot be told apart and counts as alive.
 * What cannot be found out counts as alive: a turn is only taken away from somebody who is surely gone.
 */
export function isHolderAlive(holder: string): boolean {
  const match = /^([1-9]\d{0,9}):(\d+):/.exec(holder);
  if (match === null) return true;
  const [, pidText, start] = match;
  const pid = Number(pidText);
  if (!exists(pid)) return false;
  const found = runningProcess(pid);
  if (found === undefined || start === '0') return true;
  return !found.zombie && found.start === start;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: somebody else's process, but there.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
