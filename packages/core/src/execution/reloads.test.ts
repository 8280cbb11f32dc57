import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

interface Heaps {
  readonly host: number;
  readonly child: readonly [used: number, evaluations: number, pid: number];
}

/** Each version of the file that changes holds some 300 KB in a process: kept, 270 of them would be 80 MB. */
const ALLOWED_GROWTH = 10_000_000;

describe('three hundred reloads of one file', () => {
  it('leave nothing behind, neither in the host nor in its one child', async () => {
    const script = join(import.meta.dirname, 'fixtures/reloads-script.ts');
    const flags = ['--conditions=baigong-source', '--disable-warning=ExperimentalWarning'];
    flags.push('--expose-gc', '--stress-flush-code');
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, script]);
    const { failures, heaps } = JSON.parse(stdout) as { failures: number; heaps: readonly [Heaps, Heaps] };
    expect(failures).toBe(0);
    const [early, late] = heaps;
    expect(late.host - early.host).toBeLessThan(ALLOWED_GROWTH);
    expect(late.child[0] - early.child[0]).toBeLessThan(ALLOWED_GROWTH);
    // The same process all the time, in which what never changed was evaluated once.
    expect([late.child[1], late.child[2]]).toEqual([1, early.child[2]]);
  });
});
