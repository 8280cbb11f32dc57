import type { ToolDefinition } from './tool-definition.ts';

/** Marks what `defineAgentTool` made. Registered globally: it holds across copies of this package. */
export const agentToolMark: unique symbol = Symbol.for('baigong.agent-tool') as never;

/** A tool as `defineAgentTool` returns it. */
export type AgentTool<Input = never, Result = unknown, Config = never> = ToolDefinition<Input, Result, Config> & {
  readonly [agentToolMark]: true;
};
