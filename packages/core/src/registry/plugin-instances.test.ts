import { describe, expect, it } from 'vitest';
import type { PluginInstance } from '../contracts/code-host.ts';
import { PluginInstances } from './plugin-instances.ts';

function instance(onDispose: () => void, isFaulty = false): PluginInstance {
  const problem = { code: 'LOAD_ERROR', message: { key: 'plain', values: { text: 'x' } }, fatal: true };
  return {
    setUp: { added: [], provided: [], config: {}, problems: isFaulty ? [problem] : [] },
    live: new Map(),
    services: new Map(),
    config: {},
    dispose: async () => onDispose(),
  };
}

describe('PluginInstances', () => {
  it('makes one instance of a key and disposes of it with the last share', async () => {
    const instances = new PluginInstances();
    let made = 0;
    let disposed = 0;
    const create = async () => {
      made += 1;
      return instance(() => {
        disposed += 1;
      });
    };
    const [a, b] = await Promise.all([instances.share('k', create), instances.share('k', create)]);
    expect(a.instance).toBe(b.instance);
    await a.release();
    await a.release();
    expect([made, disposed, instances.size]).toEqual([1, 0, 1]);
    await b.release();
    expect([made, disposed, instances.size]).toEqual([1, 1, 0]);
    await (await instances.share('k', create)).release();
    expect([made, disposed]).toEqual([2, 2]);
  });

  it('tries anew after a setup that failed', async () => {
    const instances = new PluginInstances();
    let disposed = 0;
    const faulty = await instances.share('k', async () =>
      instance(() => {
        disposed += 1;
      }, true),
    );
    const next = await instances.share('k', async () => instance(() => {}));
    expect(next.instance).not.toBe(faulty.instance);
    await faulty.release();
    expect(disposed).toBe(1);
    expect((await instances.share('k', () => Promise.reject(new Error('made already')))).instance).toBe(next.instance);
    await expect(instances.share('other', () => Promise.reject(new Error('no process')))).rejects.toThrow('no process');
    expect(instances.size).toBe(1);
  });
});
