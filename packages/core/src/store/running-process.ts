import { readFileSync } from 'node:fs';

/** What Linux tells of a process. */
export interface RunningProcess {
  /** Only compares: equal for the same process, different for a later one with the same id. */
  readonly start: string;
  /** It has ended and merely waits for its parent to notice. */
  readonly zombie: boolean;
}

/** Where `/proc/<pid>/stat` has the state and the start time, counted from behind the parenthesised name. */
const STATE_FIELD = 0;
const START_FIELD = 19;

/** Undefined where the system does not say: outside Linux, without such a process, or when it is hidden from us. */
export function runningProcess(pid: number): RunningProcess | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  // The name in parentheses may hold blanks and parentheses itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const state = fields[STATE_FIELD];
  const start = fields[START_FIELD];
  return start === undefined ? undefined : { start, zombie: state === 'Z' || state === 'X' };
}
