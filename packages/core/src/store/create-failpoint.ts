import { type Failpoint, transitions } from '../contracts/turn-machine.ts';

/**
 * Makes this process end itself by SIGKILL at one transition, for tests of what a crash leaves: `call.start:after`, or
 * `call.start:after#3` for the third time. Undefined for an undefined or empty spec; throws an `Error` that lists all
 * failpoints for an unknown one.
 *
 * @example
 * const store = await createSqliteStore({ file, failpoint: createFailpoint(process.env.BAIGONG_FAILPOINT) });
 */
export function createFailpoint(spec: string | undefined): ((name: Failpoint) => void) | undefined {
  if (spec === undefined || spec === '') return undefined;
  const [wanted = '', times = '1'] = spec.split('#');
  const all = Object.keys(transitions).flatMap((name) => [`${name}:before`, `${name}:after`]);
  if (!all.includes(wanted) || !/^[1-9]\d*$/.test(times)) {
    throw new Error(`There is no failpoint "${spec}"; there are: ${all.join(', ')}.`);
  }
  let left = Number(times);
  return (name) => {
    if (name !== wanted) return;
    left -= 1;
    if (left > 0) return;
    process.kill(process.pid, 'SIGKILL');
    // The signal may take a moment; nothing may happen in it.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  };
}
