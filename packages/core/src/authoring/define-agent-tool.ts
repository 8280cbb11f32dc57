import type { ClientOf } from './adapter-clients.ts';
import { type AgentTool, agentToolMark } from './agent-tool.ts';
import type { SchemaOutput, StandardSchema } from './standard-schema.ts';
import type { ToolDefinition } from './tool-definition.ts';

/** Input of a tool that declares neither a type nor a typed schema. */
// biome-ignore lint/suspicious/noExplicitAny: authors without a schema read members freely; `unknown` would force casts.
type AnyInput = Record<string, any>;

interface Define<DefaultConfig> {
  /** With a Zod (Standard Schema) object the input type is inferred from it. */
  <Schema extends StandardSchema, Result, const Platforms extends readonly string[] = readonly string[]>(
    definition: Omit<
      ToolDefinition<SchemaOutput<Schema>, Result, DefaultConfig, ClientOf<Platforms>>,
      'inputSchema' | 'platforms'
    > & { readonly inputSchema: Schema; readonly platforms?: Platforms },
  ): AgentTool<SchemaOutput<Schema>, Result, DefaultConfig>;
  <
    Input = AnyInput,
    Result = unknown,
    Config = DefaultConfig,
    const Platforms extends readonly string[] = readonly string[],
  >(
    definition: Omit<ToolDefinition<Input, Result, Config, ClientOf<Platforms>>, 'platforms'> & {
      readonly platforms?: Platforms;
    },
  ): AgentTool<Input, Result, Config>;
}

interface DefineAgentTool extends Define<unknown> {
  /** Fixes the type of `context.config` first; the second call takes the definition. */
  withConfig<Config>(): Define<Config>;
}

/**
 * Declares a tool. The file `tools/<name>/index.ts` exports it as default; the folder's name is the tool's name.
 * Nothing is checked here: faults are reported together, with file and field, when the project is loaded.
 *
 * @example
 * export default defineAgentTool({
 *   description: 'Current weather of a city. Use when the user asks about the weather.',
 *   inputSchema: z.object({ city: z.string() }),
 *   async execute({ city }) { return `sunny in ${city}`; },
 * });
 */
export const defineAgentTool: DefineAgentTool = Object.assign(define, { withConfig: () => define as Define<never> });

function define<Definition extends object>(definition: Definition): Definition & { readonly [agentToolMark]: true } {
  return Object.freeze({ ...definition, [agentToolMark]: true as const });
}
