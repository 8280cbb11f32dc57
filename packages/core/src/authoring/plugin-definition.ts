import type { AgentTool } from './agent-tool.ts';
import type { Hook } from './hook-definition.ts';
import type { AgentPromptSection } from './prompt-section-definition.ts';
import type { StandardSchema } from './standard-schema.ts';
import type { Token } from './token.ts';
import type { ToolLog } from './tool-context.ts';
import type { JsonSchemaObject } from './tool-definition.ts';

/** Marks what `definePlugin` made. Registered globally: it holds across copies of this package. */
export const pluginMark: unique symbol = Symbol.for('baigong.plugin') as never;

/** What an author says of a plugin. */
export interface PluginDefinition<Config> {
  /** For display. Unique in a project; names of capabilities follow folders, not this. */
  readonly name: string;
  /** Checks what stands under `plugins.<name>` in the configuration; without it `config.get()` is what is written. */
  readonly config?: StandardSchema | JsonSchemaObject;
  /** Services that `setup` provides. Said here, plugins that use them are set up later. */
  readonly provides?: readonly Token<unknown>[];
  /** Services of other plugins that `setup` uses. One that nobody provides is a load error. */
  readonly uses?: readonly Token<unknown>[];
  /** Registers what is only there under conditions, and opens resources. Runs while a generation is prepared. */
  setup?(context: PluginContext<Config>): void | Promise<void>;
}

/** A plugin as `definePlugin` returns it. */
export type Plugin<Config = never> = PluginDefinition<Config> & { readonly [pluginMark]: true };

/** What `setup` works with. Usable until `setup` has ended; `config`, `use` and `log` also later. */
export interface PluginContext<Config> {
  readonly config: { get(): Config };
  /** The same as a file `tools/<name>/index.ts`, in every respect. */
  addTool(name: string, tool: AgentTool): void;
  addPromptSection(name: string, section: AgentPromptSection): void;
  addSkill(name: string, skill: AddedSkill): void;
  addHook(name: string, hook: Hook): void;
  /** `remote`: methods that tools in other processes may call with plain data. */
  provide<Service>(
    token: Token<Service>,
    service: Service,
    options?: { readonly remote?: readonly (keyof Service & string)[] },
  ): void;
  /** A service that a plugin before this one provides. Throws when there is none. */
  use<Service>(token: Token<Service>): Service;
  /** Runs once when nothing holds this instance of the plugin any more; the last one handed over runs first. */
  onDispose(dispose: () => void | Promise<void>): void;
  readonly log: ToolLog;
}

/** A skill from code: the front matter of a SKILL.md, and its body. */
export interface AddedSkill {
  readonly description: string;
  /** The steps, in Markdown. */
  readonly body: string;
  readonly tools?: readonly string[];
  readonly platforms?: readonly string[];
  readonly scopes?: readonly ('private' | 'group' | 'channel')[];
  readonly permissions?: readonly string[];
  readonly dependsOn?: readonly string[];
  readonly version?: string;
  readonly category?: string;
  readonly examples?: readonly string[];
  readonly enabled?: boolean;
}
