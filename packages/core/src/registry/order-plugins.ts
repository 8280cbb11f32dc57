import type { Problem } from '../contracts/problem.ts';
import { showText } from '../contracts/show-text.ts';
import { text } from '../contracts/texts/text.ts';

/** What a plugin says of services before its `setup` runs. */
export interface PluginNeeds {
  readonly plugin: string;
  readonly file: string;
  readonly provides: readonly string[];
  readonly uses: readonly string[];
}

/**
 * The order in which plugins are set up: whoever provides a service comes before those that use it; otherwise it stays
 * as given. Those that wait for one another come last, in the given order, with a problem.
 */
export function orderPlugins<Plugin extends PluginNeeds>(
  plugins: readonly Plugin[],
): { readonly order: readonly Plugin[]; readonly problems: readonly Problem[] } {
  const providers = new Map<string, Plugin>();
  for (const plugin of plugins)
    for (const token of plugin.provides) if (!providers.has(token)) providers.set(token, plugin);
  const order: Plugin[] = [];
  const placed = new Set<Plugin>();
  let waiting = [...plugins];
  for (;;) {
    // The first that can go now, so that nothing is moved further than it must.
    const ready = waiting.find((plugin) =>
      plugin.uses.every((token) => {
        const provider = providers.get(token);
        return provider === undefined || provider === plugin || placed.has(provider);
      }),
    );
    if (ready === undefined) break;
    order.push(ready);
    placed.add(ready);
    waiting = waiting.filter((plugin) => plugin !== ready);
  }
  if (waiting.length === 0) return { order, problems: [] };
  const names = waiting.map(({ plugin, file }) => showText(plugin || file)).join(', ');
  const problem: Problem = {
    code: 'DEPENDENCY_CYCLE',
    file: showText(waiting[0]?.file ?? ''),
    field: 'uses',
    found: names,
    message: text('registry.plugin-cycle', { names }),
    hint: text('registry.plugin-cycle-hint'),
    fatal: true,
  };
  return { order: [...order, ...waiting], problems: [problem] };
}
