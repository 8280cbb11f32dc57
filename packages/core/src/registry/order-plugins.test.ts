import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderPlugins, type PluginNeeds } from './order-plugins.ts';

function plugin(name: string, provides: readonly string[], uses: readonly string[]): PluginNeeds {
  return { plugin: name, file: `plugins/${name}/plugin.ts`, provides, uses };
}

const names = (plugins: readonly PluginNeeds[]) => plugins.map((one) => one.plugin);

describe('orderPlugins', () => {
  it('puts providers first and moves nothing else', () => {
    const { order, problems } = orderPlugins([
      plugin('a', [], ['db']),
      plugin('b', [], []),
      plugin('c', ['db'], ['log']),
      plugin('d', ['log'], []),
    ]);
    expect(names(order)).toEqual(['b', 'd', 'c', 'a']);
    expect(problems).toEqual([]);
  });

  it('lets a plugin use what it provides, and what nobody provides', () => {
    expect(names(orderPlugins([plugin('a', ['x'], ['x', 'nowhere'])]).order)).toEqual(['a']);
  });

  it('names those that wait for one another', () => {
    const { order, problems } = orderPlugins([
      plugin('a', ['x'], ['y']),
      plugin('b', ['y'], ['x']),
      plugin('c', [], []),
    ]);
    expect(names(order)).toEqual(['c', 'a', 'b']);
    expect(problems).toMatchObject([{ code: 'DEPENDENCY_CYCLE', found: 'a, b', fatal: true }]);
  });

  it('keeps every plugin, each after its providers where that is possible', () => {
    const token = fc.constantFrom('a', 'b', 'c', 'd');
    const needs = fc.record({ provides: fc.array(token, { maxLength: 2 }), uses: fc.array(token, { maxLength: 2 }) });
    fc.assert(
      fc.property(fc.array(needs, { maxLength: 8 }), (list) => {
        const plugins = list.map(({ provides, uses }, index) => plugin(String(index), provides, uses));
        const { order, problems } = orderPlugins(plugins);
        expect(names(order).toSorted()).toEqual(names(plugins).toSorted());
        if (problems.length > 0) return;
        for (const [place, one] of order.entries()) {
          for (const used of one.uses) {
            const provider = plugins.find((other) => other.provides.includes(used));
            if (provider !== undefined) expect(order.indexOf(provider)).toBeLessThanOrEqual(place);
          }
        }
      }),
    );
  });
});
