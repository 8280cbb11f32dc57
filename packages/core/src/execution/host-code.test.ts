import { exit as namedExit } from 'node:process';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HostCode, type HostCodeOwner } from './host-code.ts';

const owner: HostCodeOwner = { kind: 'plugin', name: 'lottery', tell: (thrown) => ({ message: String(thrown) }) };
const hostCode = HostCode.ofProcess();
const ofNode = process.exit;
const ended = vi.fn();

// The tests must not end with what they test.
beforeEach(() => {
  ended.mockClear();
  process.exit = ended as never;
});
afterEach(() => {
  process.exit = ofNode;
});

describe('code of authors in the host', () => {
  it('cannot end the program, now or in a timer; everybody else can', async () => {
    const release = hostCode.hold();
    expect(() => hostCode.enter(owner, () => process.exit(3))).toThrow('lottery called process.exit');
    expect(() => hostCode.enter(owner, () => namedExit(3))).toThrow('lottery called process.exit');
    const later = hostCode.enter(owner, async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      process.exit(4);
    });
    await expect(later).rejects.toThrow('lottery called process.exit');
    expect(ended).not.toHaveBeenCalled();
    process.exit(5);
    expect(ended).toHaveBeenCalledWith(5);
    release();
  });

  it('is held off as long as one holds, each counted once', () => {
    const original = process.exit;
    const first = hostCode.hold();
    const second = hostCode.hold();
    first();
    first();
    expect(() => hostCode.enter(owner, () => process.exit(1))).toThrow('lottery');
    second();
    expect(process.exit).toBe(original);
  });

  it('lets the program end on a signal that a plugin was the first to listen to', async () => {
    const release = hostCode.hold();
    const seen: (string | undefined)[] = [];
    const ofPlugin = () => seen.push('plugin');
    const arrived = Promise.withResolvers<void>();
    const ofProgram = () => {
      seen.push(hostCode.owner?.name);
      arrived.resolve();
    };
    hostCode.enter(owner, () => process.on('SIGUSR2', ofPlugin));
    process.on('SIGUSR2', ofProgram);
    process.kill(process.pid, 'SIGUSR2');
    await arrived.promise;
    process.off('SIGUSR2', ofPlugin).off('SIGUSR2', ofProgram);
    release();
    expect(seen).toEqual(['plugin', undefined]);
    expect(process.listenerCount('SIGUSR2')).toBe(0);
  });
});
