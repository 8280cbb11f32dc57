import { type Plugin, type PluginDefinition, pluginMark } from './plugin-definition.ts';
import type { SchemaOutput, StandardSchema } from './standard-schema.ts';

/** Configuration of a plugin that declares no schema. */
// biome-ignore lint/suspicious/noExplicitAny: authors without a schema read members freely; `unknown` would force casts.
type AnyConfig = Record<string, any>;

interface DefinePlugin {
  /** With a Zod (Standard Schema) object the type of `config.get()` is inferred from it. */
  <Schema extends StandardSchema>(
    definition: Omit<PluginDefinition<SchemaOutput<Schema>>, 'config'> & { readonly config: Schema },
  ): Plugin<SchemaOutput<Schema>>;
  <Config = AnyConfig>(definition: PluginDefinition<Config>): Plugin<Config>;
}

/**
 * Declares a plugin. The file `plugin.ts` exports it as default.
 *
 * @example
 * export default definePlugin({
 *   name: 'lottery',
 *   setup(context) {
 *     if (context.config.get().agentToolsEnabled) context.addTool('lottery_sync', lotterySync);
 *   },
 * });
 */
export const definePlugin: DefinePlugin = <Definition extends object>(definition: Definition) =>
  Object.freeze({ ...definition, [pluginMark]: true as const }) as never;
